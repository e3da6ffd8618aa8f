/** Prints the path of the project's Node, for those who need options of Node itself: `npm run -s agent -- scripts/lib/node-path.ts`. */
process.stdout.write(`${process.execPath}\n`);
