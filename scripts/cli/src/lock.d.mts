type Facts = Readonly<Record<string, string>>;

export function takeLock(file: string, facts?: Facts): (Facts & { readonly pid?: number }) | undefined;
export function shareLock(file: string, pid: number, facts?: Facts): void;
export function releaseLock(file: string): void;
