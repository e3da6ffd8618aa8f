import type { Dispatcher } from "undici";
import { Breaker, type BreakerOptions } from "../breaker.ts";
import type { ModelSpec } from "../mesh/index.ts";
import { type Exchange, LibraryExchange } from "./attempt.ts";
import { Direct } from "./direct.ts";
import { authorizer, loadProvider, type MakeModel, warmUp } from "./provider.ts";
import { accessTokens, serviceAccountOf } from "./service-account.ts";
import { type Authorize, type LibraryKind, Wire } from "./wire.ts";

export type TargetDeps = {
  dispatcher: Dispatcher;
  /** The text of a secret's variable. */
  secret: (variable: string) => string | undefined;
  breaker: BreakerOptions;
};

/** One model, ready to be asked. */
export class Target {
  readonly spec: ModelSpec;
  readonly breaker: Breaker;
  /** Whether the key that the manifest names is there. */
  readonly hasKey: boolean;
  readonly #dispatcher: Dispatcher;
  readonly #authorize: Authorize;
  #make: Promise<MakeModel> | undefined;

  constructor(spec: ModelSpec, { dispatcher, secret, breaker }: TargetDeps) {
    const { provider } = spec;
    const key = provider.keyEnv === undefined ? undefined : secret(provider.keyEnv);
    const account = provider.kind === "vertex" && key !== undefined ? serviceAccountOf(key) : undefined;
    this.spec = spec;
    this.breaker = new Breaker(breaker);
    this.hasKey = provider.keyEnv === undefined || key !== undefined;
    this.#dispatcher = dispatcher;
    this.#authorize = authorizer(provider, key, account && accessTokens(account, dispatcher));
  }

  /** Loads the provider's library, which takes a while the first time. */
  async load(): Promise<void> {
    if (this.#libraryKind) await this.#library(this.#libraryKind);
  }

  async exchange(): Promise<Exchange> {
    const deps = { dispatcher: this.#dispatcher, authorize: this.#authorize };
    const kind = this.#libraryKind;
    if (!kind) return new Direct(this.spec, deps);
    const make = await this.#library(kind);
    const wire = new Wire({ ...deps, kind });
    return new LibraryExchange(make(this.spec, wire), wire);
  }

  /** Undefined where the model is asked directly. */
  get #libraryKind(): LibraryKind | undefined {
    const { kind } = this.spec.provider;
    return kind === "openai_compatible" ? undefined : kind;
  }

  async #library(kind: LibraryKind): Promise<MakeModel> {
    this.#make ??= this.#loaded(kind);
    return await this.#make;
  }

  async #loaded(kind: LibraryKind): Promise<MakeModel> {
    const make = await loadProvider(kind);
    await warmUp(make, this.spec);
    return make;
  }
}
