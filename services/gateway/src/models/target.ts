import type { Dispatcher } from "undici";
import type { ModelSpec } from "../mesh/index.ts";
import { type Exchange, LibraryExchange } from "./attempt.ts";
import { Direct } from "./direct.ts";
import { ModelBreaker, type ModelBreakerOptions } from "./model-breaker.ts";
import { authorizer, loadProvider, type MakeModel, warmUp } from "./provider.ts";
import { accessTokens, serviceAccountOf } from "./service-account.ts";
import { type Authorize, Wire } from "./wire.ts";

export type TargetDeps = {
  dispatcher: Dispatcher;
  /** The text of a secret's variable. */
  secret: (variable: string) => string | undefined;
  breaker: ModelBreakerOptions;
};

/** One model, ready to be asked. */
export class Target {
  readonly spec: ModelSpec;
  readonly breaker: ModelBreaker;
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
    this.breaker = new ModelBreaker(breaker);
    this.hasKey = provider.keyEnv === undefined || key !== undefined;
    this.#dispatcher = dispatcher;
    this.#authorize = authorizer(provider, key, account && accessTokens(account, dispatcher));
  }

  /** Loads the provider's library, which takes a while the first time. */
  async load(): Promise<void> {
    if (!this.#isDirect) await this.#library();
  }

  async exchange(): Promise<Exchange> {
    const deps = { dispatcher: this.#dispatcher, authorize: this.#authorize };
    if (this.#isDirect) return new Direct(this.spec, deps);
    const make = await this.#library();
    const wire = new Wire({ ...deps, kind: this.spec.provider.kind });
    return new LibraryExchange(make(this.spec, wire), wire);
  }

  get #isDirect(): boolean {
    return this.spec.provider.kind === "openai_compatible";
  }

  async #library(): Promise<MakeModel> {
    this.#make ??= this.#loaded();
    return await this.#make;
  }

  async #loaded(): Promise<MakeModel> {
    const make = await loadProvider(this.spec.provider.kind);
    await warmUp(make, this.spec);
    return make;
  }
}
