import { describe, expect, test } from "@jest/globals";
import { traceContextOf, traceIdOf } from "./trace-context.ts";

const TRACE = "12345678901234567890123456789012";
const SPAN = "1234567890123456";
const PARENT = `00-${TRACE}-${SPAN}-01`;

const stateOf = (tracestate: string | string[] | undefined) =>
  traceContextOf({ traceparent: PARENT, tracestate }).tracestate;

describe("traceparent", () => {
  test.each([
    ["as it is written", PARENT, PARENT],
    ["with every flag, known or not", `00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-ff`],
    ["with white space around it", ` ${PARENT}\t`, PARENT],
    ["of a later version", `cc-${TRACE}-${SPAN}-01`, PARENT],
    ["of a later version with more fields", `cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, PARENT],
    ["of a later version whose last field is empty", `cc-${TRACE}-${SPAN}-01-`, PARENT],
  ])("is read %s", (_, traceparent, expected) => {
    expect(traceContextOf({ traceparent })).toEqual({ traceparent: expected });
    expect(traceIdOf(traceContextOf({ traceparent }))).toBe(TRACE);
  });

  test.each([
    ["absent", undefined],
    ["empty", ""],
    ["there twice", `${PARENT}, ${PARENT}`],
    ["there twice, as a list", [PARENT, PARENT]],
    ["of version ff", `ff-${TRACE}-${SPAN}-01`],
    ["of version 00 with more fields", `${PARENT}-what-the-future-will-be-like`],
    ["of version 00 with an empty field", `${PARENT}-`],
    ["of a later version without a dash", `cc-${TRACE}-${SPAN}-01.what`],
    ["of a version that is no number", `.0-${TRACE}-${SPAN}-01`],
    ["of a version of one character", `0-${TRACE}-${SPAN}-01`],
    ["of a version of three", `000-${TRACE}-${SPAN}-01`],
    ["in upper case", `00-${"A".repeat(32)}-${SPAN}-01`],
    ["with a trace id of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["with a trace id that is too short", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["with a trace id that is too long", `00-${TRACE}0-${SPAN}-01`],
    ["with a trace id of other characters", `00-.${TRACE.slice(1)}-${SPAN}-01`],
    ["with a span id of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["with a span id that is too short", `00-${TRACE}-${SPAN.slice(1)}-01`],
    ["with a span id that is too long", `00-${TRACE}-${SPAN}0-01`],
    ["with flags of one character", `00-${TRACE}-${SPAN}-1`],
    ["with flags of three", `00-${TRACE}-${SPAN}-001`],
    ["with flags of other characters", `00-${TRACE}-${SPAN}-.0`],
  ])("counts as absent where it is %s, and its state too", (_, traceparent) => {
    expect(traceContextOf({ traceparent, tracestate: "foo=1" })).toEqual({});
    expect(traceIdOf({})).toBeUndefined();
  });
});

describe("tracestate", () => {
  const longKey = "z".repeat(256);
  const tenant = `${"t".repeat(241)}@${"v".repeat(14)}`;

  test.each([
    ["one member", "foo=1", "foo=1"],
    ["two members", "foo=1,bar=2", "foo=1,bar=2"],
    ["white space around members", "foo=1 \t , \t bar=2, \t baz=3", "foo=1,bar=2,baz=3"],
    ["empty members", "foo=1,", "foo=1"],
    ["several headers", ["foo=1,bar=2", "rojo=1,congo=2"], "foo=1,bar=2,rojo=1,congo=2"],
    ["all characters of a key", "foo-_*/bar=2,0=1", "foo-_*/bar=2,0=1"],
    ["a key of a tenant", "fw529a3039@dt=FQAAAAIBAwQFBgMEBQ", "fw529a3039@dt=FQAAAAIBAwQFBgMEBQ"],
    ["the longest key", `foo=1,${longKey}=1`, `foo=1,${longKey}=1`],
    ["the longest key of a tenant", `${tenant}=1`, `${tenant}=1`],
    [
      "all characters of a value",
      "foo=!\"#$%&'()*+-./0:;<>?@A[\\]^_`a{|}~",
      "foo=!\"#$%&'()*+-./0:;<>?@A[\\]^_`a{|}~",
    ],
    ["a space within a value", "foo=a b", "foo=a b"],
    ["a value of 256 characters", `foo=${"x".repeat(256)}`, `foo=${"x".repeat(256)}`],
  ])("takes %s", (_, tracestate, expected) => {
    expect(stateOf(tracestate)).toBe(expected);
  });

  test.each([
    ["absent", undefined],
    ["empty", ""],
    ["a key without a value", "foo"],
    ["an empty value", "foo="],
    ["an empty key", "=1"],
    ["a key twice", "foo=1,foo=1"],
    ["a key in upper case", "FOO=1"],
    ["a key with a dot", "foo.bar=1"],
    ["a space between key and value", "foo =1"],
    ["a key that is too long", `${"z".repeat(257)}=1`],
    ["a tenant that is too long", `${"t".repeat(242)}@v=1`],
    ["a system that is too long", `t@${"v".repeat(15)}=1`],
    ["a key that begins with @", "@foo=1"],
    ["a key that ends with @", "foo@=1"],
    ["a key with two @", "foo@bar@baz=1"],
    ["an equals sign in a value", "foo=bar=baz"],
    ["a tab in a value", "foo=a\tb"],
    ["a value of 257 characters", `foo=${"x".repeat(257)}`],
    ["33 members", Array.from({ length: 33 }, (_, at) => `bar${at}=1`).join(",")],
  ])("is dropped where it is or has %s; its traceparent stays", (_, tracestate) => {
    expect(traceContextOf({ traceparent: PARENT, tracestate })).toEqual({ traceparent: PARENT });
  });

  test("may have 32 members", () => {
    const most = Array.from({ length: 32 }, (_, at) => `bar${at}=1`).join(",");
    expect(stateOf(most)).toBe(most);
  });

  test("loses the members that were added first where it is longer than has to be passed on", () => {
    const members = ["a", "b", "c"].map((key) => `${key}=${key.repeat(250)}`);
    expect(stateOf(members.join(","))).toBe(members.slice(0, 2).join(","));
  });
});
