/** What the lock file says of a package of this repository. */
export interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, object>>;
}

/** package-lock.json, as `npm install` would leave it. All dependencies of a new agent are packages of this repository. */
export function addToLock(text: string, folder: string, file: PackageFile): string {
  const { name, version, license, dependencies } = file;
  const lock = JSON.parse(text) as Lock;
  const added: [string, object][] = [
    [`node_modules/${name}`, { resolved: folder, link: true }],
    [folder, { name, version, license, dependencies }],
  ];
  const entries = Object.entries(lock.packages);
  for (const one of added) {
    const next = entries.findIndex(([path]) => path.localeCompare(one[0], "en") > 0);
    entries.splice(next < 0 ? entries.length : next, 0, one);
  }
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(entries) }, undefined, 2)}\n`;
}
