import type { Resource } from "./rules.ts";

type Spoil = (all: Resource[]) => void;

const named = (all: Resource[], kind: string, name: string): Resource =>
  all.find((one) => one.kind === kind && one.metadata.name === name);
const gateway = (all: Resource[]): Resource => named(all, "Deployment", "gateway");
const agent = (all: Resource[]): Resource => named(all, "Deployment", "policy");
const pod = (one: Resource): Resource => one.spec.template.spec;
const container = (one: Resource): Resource => pod(one).containers[0];
const remove = (all: Resource[], kind: string, name: string): void => {
  all.splice(all.indexOf(named(all, kind, name)), 1);
};
const setEnv = (one: Resource, name: string, value: string): void => {
  const { env } = container(one);
  env.splice(0, env.length, ...env.filter((entry: Resource) => entry.name !== name), { name, value });
};

/** By what a rule says: what breaks it. Each is done to a copy of the overlay for production. */
export const BREAKS: Readonly<Record<string, readonly Spoil[]>> = {
  "no container runs as root, and each has the runtime's seccomp profile": [
    (all) => (pod(agent(all)).securityContext.runAsUser = 0),
    (all) => delete pod(gateway(all)).securityContext.runAsNonRoot,
    (all) => (pod(gateway(all)).securityContext.seccompProfile.type = "Unconfined"),
  ],
  "no container may gain rights, has capabilities or writes to its root": [
    (all) => (container(agent(all)).securityContext.allowPrivilegeEscalation = true),
    (all) => (container(agent(all)).securityContext.readOnlyRootFilesystem = false),
    (all) => (container(gateway(all)).securityContext.capabilities = { drop: ["ALL"], add: ["NET_RAW"] }),
    (all) => (container(gateway(all)).securityContext.privileged = true),
  ],
  "no pod has a token of the API server": [(all) => delete pod(agent(all)).automountServiceAccountToken],
  "no service account has a token": [
    (all) => delete named(all, "ServiceAccount", "agent").automountServiceAccountToken,
  ],
  "the namespace enforces the restricted standard": [
    (all) =>
      (named(all, "Namespace", "interlock").metadata.labels = {
        "pod-security.kubernetes.io/enforce": "baseline",
      }),
  ],
  "each container has requests of processor and memory, and a limit of memory": [
    (all) => delete container(agent(all)).resources.limits,
    (all) => delete container(gateway(all)).resources.requests.cpu,
  ],
  "each container has all three probes, and liveness is the most patient": [
    (all) => delete container(agent(all)).startupProbe,
    (all) => (container(gateway(all)).livenessProbe.failureThreshold = 1),
  ],
  "the gateway is ready by /readyz and alive by /healthz": [
    (all) => (container(gateway(all)).livenessProbe.httpGet.path = "/readyz"),
  ],
  "each pod has time for preStop, what is still served, what runs, and 5 s more": [
    (all) => (pod(gateway(all)).terminationGracePeriodSeconds = 25),
    (all) => setEnv(agent(all), "SHUTDOWN_GRACE_MS", "60000"),
    (all) => (container(agent(all)).lifecycle.preStop.exec.command = ["sleep", "10"]),
  ],
  "after its end is wanted the gateway serves for 15 s, and others wait for 5 s, until nobody sends to them":
    [(all) => setEnv(gateway(all), "DRAIN_DELAY_MS", "0"), (all) => delete container(agent(all)).lifecycle],
  "replicas are spread over nodes": [
    (all) => delete pod(agent(all)).topologySpreadConstraints,
    (all) => (pod(gateway(all)).topologySpreadConstraints[0].labelSelector.matchLabels = { app: "another" }),
  ],
  "secrets are files: no variable has one": [
    (all) => setEnv(gateway(all), "REDIS_URL", "redis://gateway:sesame@redis:6379"),
    (all) => setEnv(gateway(all), "OPENAI_API_KEY", "sesame"),
    (all) =>
      container(agent(all)).env.push({ name: "X", valueFrom: { secretKeyRef: { name: "x", key: "y" } } }),
  ],
  "no secret is in the files": [(all) => all.push({ kind: "Secret", metadata: { name: "keys" } })],
  "each workload has a service that finds it, on ports that its containers have": [
    (all) => remove(all, "Service", "policy"),
    (all) => (named(all, "Service", "policy").spec.ports[0].targetPort = "https"),
    (all) => (agent(all).spec.selector.matchLabels = { "app.kubernetes.io/name": "another" }),
  ],
  "agents have headless services: gateways spread requests themselves": [
    (all) => delete named(all, "Service", "policy").spec.clusterIP,
  ],
  "nobody talks to anybody without a rule": [
    (all) => remove(all, "NetworkPolicy", "deny"),
    (all) => (named(all, "NetworkPolicy", "deny").spec.policyTypes = ["Ingress"]),
  ],
  "whoever has to reach somebody may: the gateway its agents, both of them Redis, agents the gateway's keys, all the names":
    [
      (all) => named(all, "NetworkPolicy", "gateway").spec.egress[0].ports.pop(),
      (all) => named(all, "NetworkPolicy", "agents").spec.ingress[0].ports.pop(),
      (all) => named(all, "NetworkPolicy", "agents").spec.egress.shift(),
      (all) => named(all, "NetworkPolicy", "gateway").spec.ingress[0].from.pop(),
      (all) => remove(all, "NetworkPolicy", "dns"),
      (all) => named(all, "NetworkPolicy", "to-redis").spec.podSelector.matchExpressions[0].values.pop(),
    ],
  "agents are reached by the gateway alone": [
    (all) => named(all, "NetworkPolicy", "agents").spec.ingress[0].from.push({ namespaceSelector: {} }),
    (all) => delete named(all, "NetworkPolicy", "agents").spec.ingress[0].from,
  ],
  "nothing may be connected to from everywhere, and nothing connects to private addresses on the internet's ports":
    [
      (all) => delete named(all, "NetworkPolicy", "gateway").spec.ingress[0].from,
      (all) => delete named(all, "NetworkPolicy", "gateway").spec.egress[2].to[0].ipBlock.except,
      (all) => delete named(all, "NetworkPolicy", "agents").spec.egress[0].to,
    ],
  "the issuer for development is in no production": [
    (all) => setEnv(gateway(all), "DEVELOPMENT_ISSUER", "http://issuer:8085"),
  ],
  "a budget of disruptions is there exactly where there are two replicas or more": [
    (all) => remove(all, "PodDisruptionBudget", "gateway"),
    (all) => (agent(all).spec.replicas = 1),
    (all) => (named(all, "PodDisruptionBudget", "policy").spec.maxUnavailable = 0),
  ],
  "in production each deployment is scaled, by its own metric and by its processor, between at least two and more":
    [
      (all) => remove(all, "HorizontalPodAutoscaler", "policy"),
      (all) => named(all, "HorizontalPodAutoscaler", "gateway").spec.metrics.shift(),
      (all) => named(all, "HorizontalPodAutoscaler", "gateway").spec.metrics.pop(),
      (all) => (named(all, "HorizontalPodAutoscaler", "policy").spec.minReplicas = 1),
    ],
  "the route sets no limit of time: answers are streams": [
    (all) => delete named(all, "HTTPRoute", "gateway").spec.rules[0].timeouts,
    (all) => remove(all, "HTTPRoute", "gateway"),
  ],
  "the manifest is a ConfigMap without a suffix, which the gateway reads again": [
    (all) => (container(gateway(all)).volumeMounts[0].subPath = "mesh.yaml"),
    (all) => (named(all, "ConfigMap", "manifest").metadata.name = "manifest-b7f2"),
    (all) => setEnv(gateway(all), "MESH_FILE", "/app/mesh.yaml"),
  ],
};
