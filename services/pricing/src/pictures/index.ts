export { explanationPictures, policyPictures, proposalPictures, sensitivityPictures } from "./answers.ts";
export { tornadoPicture, waterfallPicture } from "./bars.ts";
export { type CurveParts, demandCurve, profitCurve } from "./curves.ts";
export { ladderPicture } from "./ladder.ts";
export { artifactOf, MOST_PICTURED, type Picture, pictureIn } from "./picture.ts";
