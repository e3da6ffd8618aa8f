/** What the manifests in deploy/kubernetes have to keep, beside what the schemas say. Each rule finds what breaks it. */

// biome-ignore lint/suspicious/noExplicitAny: what is rendered may be anything; the rules find out
export type Resource = any;

export type Overlay = "small" | "production";

export type Rule = {
  says: string;
  /** @returns a line for each place that breaks the rule */
  broken(all: readonly Resource[], overlay: Overlay): string[];
};

const GRACE_MS = 5_000;

const ofKind = (all: readonly Resource[], kind: string): Resource[] => all.filter((one) => one.kind === kind);
const isWorkload = ({ kind }: Resource) => kind === "Deployment" || kind === "StatefulSet";
const nameOf = ({ kind, metadata }: Resource): string => `${kind} ${metadata.name}`;
const podOf = (workload: Resource): Resource => workload.spec.template.spec;
const containersOf = (workload: Resource): Resource[] => podOf(workload).containers;
const isMatched = (selector: Record<string, string> = {}, labels: Record<string, string> = {}) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

function eachPod(says: string, keeps: (workload: Resource) => boolean): Rule {
  return { says, broken: (all) => all.filter(isWorkload).flatMap((one) => (keeps(one) ? [] : nameOf(one))) };
}

const eachContainer = (says: string, keeps: (container: Resource) => boolean): Rule =>
  eachPod(says, (workload) => containersOf(workload).every(keeps));

function envOf(container: Resource): Record<string, string> {
  return Object.fromEntries((container.env ?? []).map(({ name, value }: Resource) => [name, value]));
}

/** Milliseconds between the pod's end being wanted and the process having to be gone by itself. */
function neededMs(container: Resource): number {
  const { DRAIN_DELAY_MS = "0", SHUTDOWN_GRACE_MS = "10000" } = envOf(container);
  const [, seconds = "0"] = container.lifecycle?.preStop?.exec?.command ?? [];
  return Number(seconds) * 1_000 + Number(DRAIN_DELAY_MS) + Number(SHUTDOWN_GRACE_MS) + GRACE_MS;
}

const policiesOf = (all: readonly Resource[], labels: Record<string, string>, type: string) =>
  ofKind(all, "NetworkPolicy").filter(
    ({ spec }) =>
      spec.policyTypes.includes(type) &&
      isMatched(spec.podSelector.matchLabels, labels) &&
      !spec.podSelector.matchExpressions,
  );

const NAME = "app.kubernetes.io/name";

/** Where pods are that talk, and what they listen to. */
type Point = { labels: Record<string, string>; ports: readonly number[] };

const pointOf = (workload: Resource): Point => ({
  labels: workload.spec.template.metadata.labels,
  ports: containersOf(workload).flatMap(({ ports = [] }) => ports.map((one: Resource) => one.containerPort)),
});

/** In a namespace of its own, whose policies are not ours. */
const DNS: Point = { labels: { "k8s-app": "kube-dns" }, ports: [53] };

function isSelected({ matchLabels, matchExpressions = [] }: Resource, { labels }: Point): boolean {
  return (
    isMatched(matchLabels, labels) &&
    matchExpressions.every(({ key, operator, values }: Resource) =>
      operator === "In" ? values.includes(labels[key]) : false,
    )
  );
}

/**
 * Says which side keeps one pod from another's port. @param to undefined: outside, where its policies are not ours
 */
function isOpen(
  all: readonly Resource[],
  from: Point,
  to: Point | undefined,
  port: number,
): string | undefined {
  const lets = (at: Point, peer: Point | undefined, side: "egress" | "ingress") =>
    ofKind(all, "NetworkPolicy")
      .filter(({ spec }) => isSelected(spec.podSelector, at))
      .flatMap(({ spec }) => spec[side] ?? [])
      .some(
        (rule: Resource) =>
          rule.ports?.some((one: Resource) => one.port === port) &&
          (rule.to ?? rule.from ?? []).some(({ podSelector, ipBlock }: Resource) =>
            peer ? podSelector !== undefined && isSelected(podSelector, peer) : ipBlock !== undefined,
          ),
      );
  const way = `${from.labels[NAME]} to ${to?.labels[NAME] ?? to?.labels["k8s-app"] ?? "outside"}:${port}`;
  if (!lets(from, to, "egress")) return `${way} is not let out`;
  return to && to !== DNS && !lets(to, from, "ingress") ? `${way} is not let in` : undefined;
}

export const RULES: readonly Rule[] = [
  eachPod("no container runs as root, and each has the runtime's seccomp profile", (one) => {
    const { runAsNonRoot, runAsUser, seccompProfile } = podOf(one).securityContext ?? {};
    return runAsNonRoot === true && runAsUser > 0 && seccompProfile?.type === "RuntimeDefault";
  }),
  eachContainer(
    "no container may gain rights, has capabilities or writes to its root",
    ({ securityContext = {} }) => {
      const { allowPrivilegeEscalation, readOnlyRootFilesystem, privileged, capabilities } = securityContext;
      return (
        allowPrivilegeEscalation === false &&
        readOnlyRootFilesystem === true &&
        privileged !== true &&
        capabilities?.drop?.includes("ALL") === true &&
        capabilities.add === undefined
      );
    },
  ),
  eachPod(
    "no pod has a token of the API server",
    (one) => podOf(one).automountServiceAccountToken === false && podOf(one).serviceAccountName !== undefined,
  ),
  {
    says: "no service account has a token",
    broken: (all) =>
      ofKind(all, "ServiceAccount").flatMap((one) =>
        one.automountServiceAccountToken === false ? [] : nameOf(one),
      ),
  },
  {
    says: "the namespace enforces the restricted standard",
    broken: (all) => {
      const labels = ofKind(all, "Namespace")[0]?.metadata.labels ?? {};
      return labels["pod-security.kubernetes.io/enforce"] === "restricted" ? [] : ["Namespace"];
    },
  },
  eachContainer(
    "each container has requests of processor and memory, and a limit of memory",
    ({ resources = {} }) =>
      resources.requests?.cpu !== undefined &&
      resources.requests.memory !== undefined &&
      resources.limits?.memory !== undefined,
  ),
  eachContainer(
    "each container has all three probes, and liveness is the most patient",
    ({ startupProbe, readinessProbe, livenessProbe }) =>
      startupProbe !== undefined &&
      readinessProbe !== undefined &&
      livenessProbe !== undefined &&
      livenessProbe.failureThreshold * livenessProbe.periodSeconds >= 60,
  ),
  {
    says: "the gateway is ready by /readyz and alive by /healthz",
    broken: (all) =>
      all
        .filter((one) => isWorkload(one) && one.metadata.name === "gateway")
        .flatMap((one) => {
          const [{ readinessProbe, livenessProbe }] = containersOf(one);
          const paths = [readinessProbe?.httpGet?.path, livenessProbe?.httpGet?.path];
          return paths.join() === "/readyz,/healthz" ? [] : nameOf(one);
        }),
  },
  eachPod(
    "each pod has time for preStop, what is still served, what runs, and 5 s more",
    (one) =>
      one.kind === "StatefulSet" ||
      containersOf(one).every(
        (container) => podOf(one).terminationGracePeriodSeconds * 1_000 >= neededMs(container),
      ),
  ),
  {
    says: "after its end is wanted the gateway serves for 15 s, and others wait for 5 s, until nobody sends to them",
    broken: (all) =>
      ofKind(all, "Deployment").flatMap((one) => {
        const [container] = containersOf(one);
        const isGateway = one.metadata.name === "gateway";
        const waits = isGateway
          ? Number(envOf(container).DRAIN_DELAY_MS ?? 0) >= 15_000
          : Number(container.lifecycle?.preStop?.exec?.command?.[1] ?? 0) >= 5;
        return waits ? [] : nameOf(one);
      }),
  },
  eachPod("replicas are spread over nodes", (one) => {
    const [spread] = podOf(one).topologySpreadConstraints ?? [];
    return (
      spread?.topologyKey === "kubernetes.io/hostname" &&
      isMatched(spread.labelSelector?.matchLabels, one.spec.template.metadata.labels)
    );
  }),
  eachContainer(
    "secrets are files: no variable has one",
    ({ env = [], envFrom = [] }) =>
      envFrom.length === 0 &&
      env.every(
        ({ name, value, valueFrom }: Resource) =>
          valueFrom === undefined &&
          !/:\/\/[^/]*@/.test(value) &&
          !/(?:PASSWORD|TOKEN|SECRET|_KEY)$/.test(name),
      ),
  ),
  {
    says: "no secret is in the files",
    broken: (all) => ofKind(all, "Secret").map(nameOf),
  },
  {
    says: "each workload has a service that finds it, on ports that its containers have",
    broken: (all) =>
      all.filter(isWorkload).flatMap((one) => {
        const service = ofKind(all, "Service").find(({ metadata }) => metadata.name === one.metadata.name);
        const ports = containersOf(one).flatMap(({ ports: own = [] }) =>
          own.map(({ name }: Resource) => name),
        );
        const finds =
          service !== undefined &&
          isMatched(service.spec.selector, one.spec.template.metadata.labels) &&
          isMatched(one.spec.selector.matchLabels, one.spec.template.metadata.labels) &&
          service.spec.ports.every(({ targetPort }: Resource) => ports.includes(targetPort));
        return finds ? [] : nameOf(one);
      }),
  },
  {
    says: "agents have headless services: gateways spread requests themselves",
    broken: (all) => {
      const agents = ofKind(all, "Deployment").filter(
        ({ metadata }) => metadata.labels["app.kubernetes.io/component"] === "agent",
      );
      return agents.flatMap((agent) => {
        const service = ofKind(all, "Service").find(({ metadata }) => metadata.name === agent.metadata.name);
        return service?.spec.clusterIP === "None" ? [] : nameOf(agent);
      });
    },
  },
  {
    says: "nobody talks to anybody without a rule",
    broken: (all) => {
      const denies = ofKind(all, "NetworkPolicy").some(
        ({ spec }) =>
          Object.keys(spec.podSelector).length === 0 &&
          ["Ingress", "Egress"].every((type) => spec.policyTypes.includes(type)) &&
          spec.ingress === undefined &&
          spec.egress === undefined,
      );
      return denies ? [] : ["NetworkPolicy"];
    },
  },
  {
    says: "whoever has to reach somebody may: the gateway its agents, both of them Redis, agents the gateway's keys, all the names",
    broken: (all) => {
      const pods = all.filter(isWorkload).map(pointOf);
      const gateway = pods.find(({ labels }) => labels[NAME] === "gateway");
      if (!gateway) return ["Deployment gateway"];
      const redis = pods.find(({ labels }) => labels[NAME] === "redis");
      const agents = pods.filter(({ labels }) => labels["app.kubernetes.io/component"] === "agent");
      const ways = agents.flatMap((agent) => [
        ...agent.ports.map((port) => isOpen(all, gateway, agent, port)),
        isOpen(all, agent, gateway, 8080),
      ]);
      const toRedis = [gateway, ...agents].map((one) => isOpen(all, one, redis, 6379));
      const toNames = [gateway, ...agents].map((one) => isOpen(all, one, DNS, 53));
      return [...ways, ...toRedis, ...toNames].flatMap((blocked) => blocked ?? []);
    },
  },
  {
    says: "agents are reached by the gateway alone",
    broken: (all) =>
      policiesOf(all, { "app.kubernetes.io/component": "agent" }, "Ingress")
        .flatMap(({ spec }) => spec.ingress ?? [])
        .flatMap(({ from = [undefined] }: Resource) => from)
        .flatMap((peer: Resource) =>
          peer?.podSelector?.matchLabels?.["app.kubernetes.io/name"] === "gateway" && !peer.namespaceSelector
            ? []
            : ["NetworkPolicy of the agents"],
        ),
  },
  {
    says: "nothing may be connected to from everywhere, and nothing connects to private addresses on the internet's ports",
    broken: (all) =>
      ofKind(all, "NetworkPolicy").flatMap((one) => {
        const { ingress = [], egress = [] } = one.spec;
        const isOpen = ingress.some(({ from }: Resource) => from === undefined || from.length === 0);
        const reaches = egress.some(({ to }: Resource) =>
          (to ?? [{}]).some(
            (peer: Resource) =>
              Object.keys(peer).length === 0 ||
              (peer.ipBlock?.cidr === "0.0.0.0/0" && !peer.ipBlock.except?.includes("169.254.0.0/16")),
          ),
        );
        return isOpen || reaches ? [nameOf(one)] : [];
      }),
  },
  {
    says: "the issuer for development is in no production",
    broken: (all, overlay) =>
      overlay === "small"
        ? []
        : all.flatMap((one) =>
            /issuer:8085|DEVELOPMENT_ISSUER|interlock\/issuer/.test(JSON.stringify(one)) ? nameOf(one) : [],
          ),
  },
  {
    says: "a budget of disruptions is there exactly where there are two replicas or more",
    broken: (all) =>
      all.filter(isWorkload).flatMap((one) => {
        const budget = ofKind(all, "PodDisruptionBudget").find(({ spec }) =>
          isMatched(spec.selector.matchLabels, one.spec.template.metadata.labels),
        );
        return one.spec.replicas >= 2 === (budget?.spec.maxUnavailable === 1) ? [] : nameOf(one);
      }),
  },
  {
    says: "in production each deployment is scaled, by its own metric and by its processor, between at least two and more",
    broken: (all, overlay) =>
      (overlay === "small" ? [] : ofKind(all, "Deployment")).flatMap((one) => {
        const scaler = ofKind(all, "HorizontalPodAutoscaler").find(
          ({ spec }) =>
            spec.scaleTargetRef.name === one.metadata.name && spec.scaleTargetRef.kind === one.kind,
        );
        const { minReplicas = 0, maxReplicas = 0, metrics = [] } = scaler?.spec ?? {};
        const names = metrics.map(
          ({ pods, external, resource }: Resource) =>
            pods?.metric.name ?? external?.metric.name ?? resource?.name,
        );
        const own =
          one.metadata.name === "gateway" ? "interlock_running_runs" : "interlock_agent_queue_age_seconds";
        const isScaled =
          names.includes(own) &&
          names.includes("cpu") &&
          minReplicas >= 2 &&
          maxReplicas > minReplicas &&
          one.spec.replicas >= minReplicas;
        return isScaled ? [] : nameOf(one);
      }),
  },
  {
    says: "the route sets no limit of time: answers are streams",
    broken: (all, overlay) => {
      const routes = ofKind(all, "HTTPRoute").flatMap(({ spec }) => spec.rules);
      if (overlay === "production" && routes.length === 0) return ["HTTPRoute"];
      return routes.flatMap(({ timeouts }: Resource) => (timeouts?.request === "0s" ? [] : ["HTTPRoute"]));
    },
  },
  {
    says: "the manifest is a ConfigMap without a suffix, which the gateway reads again",
    broken: (all) => {
      const gateway = all.find((one) => isWorkload(one) && one.metadata.name === "gateway");
      const volume = gateway && podOf(gateway).volumes.find(({ name }: Resource) => name === "manifest");
      const mount =
        gateway && containersOf(gateway)[0].volumeMounts.find(({ name }: Resource) => name === "manifest");
      const map = ofKind(all, "ConfigMap").find(({ metadata }) => metadata.name === volume?.configMap?.name);
      // What is mounted by a subPath is never updated.
      const isRead =
        map?.data["mesh.yaml"] !== undefined &&
        mount?.subPath === undefined &&
        envOf(containersOf(gateway)[0]).MESH_FILE === `${mount?.mountPath}/mesh.yaml`;
      return isRead ? [] : ["ConfigMap manifest"];
    },
  },
];
