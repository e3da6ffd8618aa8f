import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type Provider from "oidc-provider";
import { type User, usersIn } from "./people.ts";

const MOST_BYTES = 1_024;

const STYLE =
  "body{font:16px system-ui;margin:4rem auto;max-width:28rem}button{font:inherit;display:block;width:100%;margin:.5rem 0;padding:.6rem;text-align:left}small{color:#555}";
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; frame-ancestors 'none'; base-uri 'none'`;

/** The page of a sign-in under way: asks which user somebody wants to be, without proof. It belongs to a cookie of the browser that began. */
export async function signIn(
  provider: Provider,
  dataDir: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const users = usersIn(dataDir);
  const { uid } = await provider.interactionDetails(req, res);
  if (req.method === "POST") {
    const user = new URLSearchParams(await readBody(req)).get("user") ?? "";
    if (Object.hasOwn(users, user))
      return await provider.interactionFinished(req, res, { login: { accountId: user } });
  }
  res.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  });
  res.end(pageOf(uid, users));
}

function pageOf(uid: string, users: Readonly<Record<string, User>>): string {
  const buttons = Object.entries(users).map(
    ([id, { name, tenant, roles }]) =>
      `<button name="user" value="${escaped(id)}">${escaped(name)}<br><small>${escaped(`${tenant}: ${roles.join(", ")}`)}</small></button>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title><style>${STYLE}</style>
<h1>Who are you?</h1>
<p>This is the issuer of a mesh under development: it believes everybody.</p>
<form method="post" action="/sign-in/${escaped(uid)}">${buttons.join("\n")}</form></html>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

async function readBody(req: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of req) {
    text += String(chunk);
    if (text.length > MOST_BYTES) return "";
  }
  return text;
}
