import { describe, expect, test } from "@jest/globals";
import { GatewayError } from "../errors.ts";
import { Routes } from "./routes.ts";

const routes = new Routes<string>("/api", {
  "/runs": { get: "list", post: "start" },
  "/runs/:id": { get: "run" },
  "/runs/:id/cancel": { post: "cancel" },
});

function refusalOf(method: string, path: string): unknown {
  try {
    return routes.find(method, path);
  } catch (error) {
    return error instanceof GatewayError ? [error.code, error.headers.allow] : error;
  }
}

describe("a route", () => {
  test.each([
    ["GET", "/api/runs", "list", ""],
    ["HEAD", "/api/runs", "list", ""],
    ["POST", "/api/runs", "start", ""],
    ["GET", "/api/runs/", "list", ""],
    ["GET", "/API/Runs", "list", ""],
    ["GET", "/api/runs/Ab-1", "run", "Ab-1"],
    ["GET", "/Api/RUNS/Ab-1/", "run", "Ab-1"],
    ["GET", "/api/runs/%61%2Fb", "run", "a/b"],
    ["GET", "/api/runs/:id", "run", ":id"],
    ["POST", "/api/runs/x/cancel", "cancel", "x"],
  ])("is found for %s %s", (method, path, handler, id) => {
    expect(routes.find(method, path)).toEqual({ handler, id });
  });

  test.each([["/api"], ["/runs"], ["/api/runs//"], ["/api//runs"], ["/api/runs//cancel"], ["/api/runs/x/y"]])(
    "is not found for %s",
    (path) => expect(refusalOf("GET", path)).toEqual(["not_found", undefined]),
  );

  test("is not found for an id that does not decode, whatever the method", () => {
    expect(refusalOf("GET", "/api/runs/%zz")).toEqual(["not_found", undefined]);
    expect(refusalOf("PUT", "/api/runs/%zz")).toEqual(["not_found", undefined]);
  });

  test.each([
    ["PUT", "/api/runs", "GET, HEAD, POST"],
    ["OPTIONS", "/api/runs/x", "GET, HEAD"],
    ["HEAD", "/api/runs/x/cancel", "POST"],
    ["toString", "/api/runs", "GET, HEAD, POST"],
  ])("refuses %s %s with the methods that it has", (method, path, allow) => {
    expect(refusalOf(method, path)).toEqual(["method_not_allowed", allow]);
  });
});
