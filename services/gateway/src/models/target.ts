import type { Dispatcher } from "undici";
import type { ModelSpec } from "../mesh/index.ts";
import type { AttemptParts } from "./attempt.ts";
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
  async load(): Promise<MakeModel> {
    this.#make ??= this.#loaded();
    return await this.#make;
  }

  async #loaded(): Promise<MakeModel> {
    const make = await loadProvider(this.spec.provider.kind);
    await warmUp(make, this.spec);
    return make;
  }

  async attempt(): Promise<Pick<AttemptParts, "model" | "wire">> {
    const make = await this.load();
    const { kind } = this.spec.provider;
    const wire = new Wire({ dispatcher: this.#dispatcher, kind, authorize: this.#authorize });
    return { wire, model: make(this.spec, wire) };
  }
}
