import type { MeshManifest } from "@interlock/contracts";

/** Checks that what the models section names is there. */
export function modelProblems({ models }: MeshManifest): string[] {
  if (!models) return [];
  const { allow, providers = {}, models: specs = {}, tasks = {}, experiments = [] } = models;
  const chosen = new Set([
    models.default,
    ...(models.override === undefined ? [] : [models.override]),
    ...Object.values(tasks).flatMap((task) => (typeof task === "string" ? task : (task.model ?? []))),
    ...experiments.map((experiment) => experiment.model),
  ]);
  const problems = [...chosen].flatMap((model) =>
    allow.includes(model) ? [] : [`models: "${model}" is not in models.allow`],
  );
  const fallbackProblems = (where: string, fallbacks: readonly string[] = []): string[] =>
    fallbacks.flatMap((name) => {
      if (!Object.hasOwn(specs, name)) return [`${where}.fallbacks: there is no model "${name}"`];
      return allow.includes(name) ? [] : [`${where}.fallbacks: "${name}" is not in models.allow`];
    });
  for (const [name, { provider, fallbacks, budget, prices }] of Object.entries(specs)) {
    const where = `models.models.${name}`;
    if (!Object.hasOwn(providers, provider))
      problems.push(`${where}.provider: there is no provider "${provider}"`);
    if (fallbacks?.includes(name)) problems.push(`${where}.fallbacks: a model cannot replace itself`);
    // A budget in dollars needs prices: without them nothing would count as spent.
    if (budget?.usd_per_day !== undefined && !prices)
      problems.push(`${where}.budget: usd_per_day needs prices`);
    problems.push(...fallbackProblems(where, fallbacks));
  }
  for (const [name, task] of Object.entries(tasks))
    if (typeof task !== "string") problems.push(...fallbackProblems(`models.tasks.${name}`, task.fallbacks));
  return problems;
}
