/**
 * All the words that a sentence may have beside what it names and its numbers. What is not here asserts something that nobody can check:
 * a quantity, a comparison, a cause, a verdict, a wish. So a word is added only where no sentence gets another meaning by it.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

/** They say nothing of their own. */
export const PLAIN = words(
  "the a an of for in at is are it its 's from to by with instead which would be 약",
);
export const ROUGHLY = words("about roughly approximately around");

/** That something changes; a number right behind one of them is how much it does. */
export const CHANGES = words(
  "moves move moving goes go going changes change changing comes come 바뀝니다 바뀌고 바뀌며 변합니다 변하고 변하며",
);

/** Which way a number goes: a sentence with one of them is true only where the two numbers say so. */
export const RISES =
  words(`rises rise rising increases increase increasing climbs climb climbing grows grow growing up higher
  상승 인상 증가 상승합니다 상승한다 상승하여 상승하고 상승하며 인상됩니다 인상합니다 인상되어 인상되고 인상되며 증가합니다 증가한다 증가하여 증가하고 증가하며
  오릅니다 오른다 올라 오르고 오르며 늘어납니다 늘어나고 늘어나며 높아집니다 높아지고`); // prettier-ignore
export const FALLS =
  words(`falls fall falling decreases decrease decreasing drops drop dropping declines decline declining down lower
  하락 인하 감소 하락합니다 하락한다 하락하여 하락하고 하락하며 인하됩니다 인하합니다 인하되어 인하되고 인하되며 감소합니다 감소한다 감소하여 감소하고 감소하며
  내립니다 내린다 내려 내리고 내리며 줄어듭니다 줄어들고 줄어들며 낮아집니다 낮아지고 떨어집니다 떨어지고`); // prettier-ignore
export const STAYS = words("stays stay unchanged 유지됩니다 유지되고 유지되며 그대로입니다 그대로이고");

/** The numbers are those before the change. */
export const BEFORE = words("today today's current currently 현재 현재의 오늘 오늘의");

/** What stands behind a Korean noun, name or number, and says nothing of its own. */
export const PARTICLES = words(
  "은 는 이 가 을 를 의 에서 로 으로 에 입니다 이다 이고 이며 됩니다 된다 되고 되며",
);

/** Where a sentence may be two. */
export const JOINTS =
  /;\s*|,?\s+(?:and|while|whereas)\s+|(?<=[가-힣](?:하고|하며|되고|되며|이고|이며|르고|르며|리고|리며|나고|나며|지고|들고|들며)),?\s+/u;
