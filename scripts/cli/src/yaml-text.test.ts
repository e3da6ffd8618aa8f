import { describe, expect, test } from "@jest/globals";
import { appendToText, insertEntry } from "./yaml-text.ts";

const TEXT = `# The mesh.
agents:
  one:
    url: \${ONE_URL:-http://one}   # where it is
    about: |
      A text
        of two lines.

  # The second.
  two: { url: http://two }

services: {}
list: one, two
quoted: "one, two"
`;

describe("an entry of a mapping", () => {
  test("is put behind the last one, and all other text stays as it is", () => {
    const entry = { path: ["agents"], key: "three", lines: ["three:", "  url: http://three"] };
    expect(insertEntry(TEXT, entry)).toBe(
      TEXT.replace("http://two }\n", "http://two }\n  three:\n    url: http://three\n"),
    );
  });

  test("is put behind the one that is named, before the blank line", () => {
    const entry = { path: ["agents"], key: "three", lines: ["", "three: {}"], after: "one" };
    expect(insertEntry(TEXT, entry)).toBe(TEXT.replace("two lines.\n", "two lines.\n\n  three: {}\n"));
  });

  test.each([
    ["the mapping is not there", "agent", "three", "agent is not a mapping"],
    ["the mapping is in one line", "services", "three", "services is not a mapping"],
    ["the entry is there", "agents", "two", "agents has an entry two already"],
  ])("is not written where %s", (_why, path, key, message) => {
    expect(() => insertEntry(TEXT, { path: [path], key, lines: [`${key}: {}`] })).toThrow(message);
  });

  test("is not written where it would change something else", () => {
    const entry = { path: ["agents"], key: "three", lines: ["three: {}", "four: {}"] };
    expect(() => insertEntry(TEXT, entry)).toThrow("agents.three cannot be written");
  });
});

test("a text gets longer, in quotes or without", () => {
  expect(appendToText(TEXT, ["list"], ", three")).toBe(
    TEXT.replace("list: one, two", "list: one, two, three"),
  );
  expect(appendToText(TEXT, ["quoted"], ", three")).toBe(TEXT.replace('"one, two"', '"one, two, three"'));
  expect(() => appendToText(TEXT, ["agents"], ", three")).toThrow("agents is not a text");
});
