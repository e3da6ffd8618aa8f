import { JsonText, jsonOf } from "../../json-text.ts";
import { noSuch } from "../no-such.ts";
import { type Condition, compileCondition } from "./condition.ts";
import type { LargeReader } from "./large-reader.ts";
import { type PatchRule, patched } from "./patch.ts";
import type { Reference } from "./reference.ts";
import { compileTemplate, type Template } from "./template.ts";

/** Applies edits to a proposal; undefined where they cannot be applied. */
export type Patch = (proposal: unknown, edits: unknown) => Promise<unknown>;

/** The names that data have at a place of the manifest. */
export type Roots = readonly string[];

/** The steps of a flow, as one of them sees them: all, and those that are over when it starts. */
export type StepsSeen = { readonly all: ReadonlySet<string>; readonly before: ReadonlySet<string> };

/** The members of a finished step. */
const STEP_MEMBERS: ReadonlySet<string> = new Set([
  "outputs",
  "text",
  "kept",
  "rounds",
  "warnings",
  "sample",
]);

/** Compiles the templates and conditions of a manifest, and collects their problems. */
export class DataCompiler {
  readonly problems: string[] = [];
  readonly #large: LargeReader;

  constructor(large: LargeReader) {
    this.#large = large;
  }

  /** @param steps those of the flow; absent: there are none at this place */
  template(where: string, source: unknown, roots: Roots, steps?: StepsSeen): Template {
    return this.#told(where, () => {
      const { resolve, references } = compileTemplate(source);
      for (const reference of references) this.#check(where, reference, roots, steps);
      return resolve;
    });
  }

  /** A template whose value is hashed: where it is large, it is text in the one form that equal values have. */
  canonical(where: string, source: unknown, roots: Roots, steps?: StepsSeen): Template {
    const resolve = this.template(where, source, roots, steps);
    return async (context, signal) => {
      const value = await resolve(context, signal);
      return value instanceof JsonText ? await this.#large.canonical(value, signal) : value;
    };
  }

  condition(where: string, source: string, roots: Roots, steps?: StepsSeen): Condition {
    return this.#told(where, () => {
      const { holds, references } = compileCondition(source, roots, this.#large);
      for (const reference of references) this.#check(where, reference, roots, steps, true);
      return holds;
    });
  }

  patch(rule: PatchRule): Patch {
    return async (proposal, edits) =>
      proposal instanceof JsonText
        ? await this.#large.patch(proposal, jsonOf(edits), rule)
        : patched(proposal, edits, rule);
  }

  /** @param whole conditions ask for a step itself: whether it has run */
  #check(
    where: string,
    [root = "", step, member]: Reference,
    roots: Roots,
    steps?: StepsSeen,
    whole = false,
  ): void {
    if (!roots.includes(root))
      this.problems.push(`${where}: there is no \`${root}\` here, but ${roots.join(", ")}`);
    else if (root !== "steps" || step === undefined) return;
    else if (!steps?.all.has(step)) this.problems.push(`${where}: ${noSuch("step", step, steps?.all ?? [])}`);
    else if (!steps.before.has(step))
      this.problems.push(
        `${where}: step "${step}" may not be over by then: name it under \`needs\` or \`after\``,
      );
    else if (member === undefined ? !whole : !STEP_MEMBERS.has(member))
      this.problems.push(`${where}: a step has ${[...STEP_MEMBERS].join(", ")}`);
  }

  #told<T extends (...args: never[]) => Promise<unknown>>(
    where: string,
    compile: () => T,
  ): T | (() => Promise<never>) {
    try {
      return compile();
    } catch (error) {
      this.problems.push(`${where}: ${Error.isError(error) ? error.message : "cannot be compiled"}`);
      return () => Promise.reject(new TypeError(`${where} was not compiled`));
    }
  }
}
