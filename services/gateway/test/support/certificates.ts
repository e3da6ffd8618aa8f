import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Certificates = {
  /** PEM files. */
  ca: string;
  server: { cert: string; key: string };
  client: { cert: string; key: string };
  /** A certificate authority that has signed none of them. */
  otherCa: string;
  stop(): void;
};

/** A certificate authority of its own, with a certificate for 127.0.0.1 and one for a client. */
export function certificates(): Certificates {
  const dir = mkdtempSync(join(tmpdir(), "interlock-tls-"));
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: dir, stdio: "ignore" });
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const authority = (name: string): string => {
    const out = ["-keyout", `${name}.key`, "-out", `${name}.crt`];
    openssl("req", "-x509", ...curve, ...out, "-days", "2", "-subj", `/CN=${name}`);
    return join(dir, `${name}.crt`);
  };
  const signed = (name: string) => {
    openssl("req", ...curve, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
    writeFileSync(join(dir, "names"), "subjectAltName=IP:127.0.0.1,DNS:localhost");
    const by = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"];
    openssl("x509", "-req", "-in", `${name}.csr`, "-out", `${name}.crt`, "-days", "2", ...by);
    return { cert: join(dir, `${name}.crt`), key: join(dir, `${name}.key`) };
  };
  return {
    ca: authority("ca"),
    otherCa: authority("other"),
    server: signed("server"),
    client: signed("client"),
    stop: () => rmSync(dir, { recursive: true, force: true }),
  };
}
