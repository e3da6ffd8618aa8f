import { type Bundle, isObject, type JsonObject, lookUp } from "./bundle.ts";
import { type Html, type HtmlValue, html, prose } from "./html.ts";
import { schemaHtml } from "./schema-html.ts";

/** An error that an API answers with. */
export type ErrorRow = {
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly message: string;
};

type Operation = JsonObject & { readonly method: string; readonly path: string; readonly id: string };

/** A description of an API as the body of a page: contents, operations, schemas, errors. */
export function apiHtml(
  document: Bundle,
  raw: { yaml: string; json: string },
  errors: readonly ErrorRow[],
): Html {
  const { info } = document;
  const schema = schemaHtml(document);
  const operations = operationsOf(document);
  const schemas = Object.entries(document.components.schemas ?? {});

  function parameters(operation: Operation): HtmlValue {
    const all = list(operation.parameters);
    if (all.length === 0) return undefined;
    const rows = all.map(
      (one) =>
        html`<li><code class="name">${text(one.name)}</code> <span class="type">${schema.type(
          object(one.schema),
        )}</span>, <span class="place">in the ${text(one.in)}</span>${
          one.required === true ? html`, <span class="required">required</span>` : undefined
        }${schema.limits(object(one.schema))}${described(one)}</li>`,
    );
    return html`<h4>Parameters</h4><ul class="members">${rows}</ul>`;
  }

  function body(operation: Operation): HtmlValue {
    if (operation.requestBody === undefined) return undefined;
    return html`<h4>Body</h4>${content(resolved(operation.requestBody))}`;
  }

  function content(holder: JsonObject): HtmlValue {
    const types = Object.entries(object(holder.content));
    if (types.length === 0) return undefined;
    return html`<ul class="content">${types.map(
      ([type, one]) => html`<li><code>${type}</code>: ${schema.type(object(object(one).schema))}</li>`,
    )}</ul>`;
  }

  /** Those that operations share have a place of their own. */
  function answers(operation: Operation): Html {
    const all = Object.entries(object(operation.responses)).sort(([one], [other]) => (one < other ? -1 : 1));
    const rows = all.map(([status, answer]) => {
      const shared = /^#\/components\/responses\/(.+)$/.exec(text(object(answer).$ref))?.[1];
      const said =
        shared === undefined ? answerHtml(object(answer)) : html`<a href="#answer-${shared}">${shared}</a>`;
      return html`<li><strong class="status">${status}</strong> ${said}</li>`;
    });
    return html`<h4>Answers</h4><ul class="answers">${rows}</ul>`;
  }

  function answerHtml(answer: JsonObject): Html {
    const headers = Object.keys(object(answer.headers));
    return html`${prose(text(answer.description))}${content(answer)}${
      headers.length > 0
        ? html`<p class="headers">Headers: ${headers.map((name, index) => [index > 0 ? ", " : "", html`<code>${name}</code>`])}</p>`
        : undefined
    }`;
  }

  /** Only a component: a parameter, header, body or answer. */
  function resolved(value: unknown): JsonObject {
    const one = object(value);
    return typeof one.$ref === "string" ? lookUp(document, one.$ref) : one;
  }

  function list(value: unknown): JsonObject[] {
    return Array.isArray(value) ? value.map(resolved) : [];
  }

  return html`<div class="reference">
<nav class="contents" aria-label="Contents">
<details open><summary>Contents</summary>
<ol>${operations.map(({ id, method, path }) => html`<li><a href="#${id}">${verb(method)} <span class="path">${breakable(path)}</span></a></li>`)}</ol>
<ul><li><a href="#answers">Shared answers</a></li>${errors.length > 0 ? html`<li><a href="#errors">Errors</a></li>` : undefined}<li><a href="#schemas">Schemas</a></li></ul>
</details>
</nav>
<main id="main">
<h1>${info.title}</h1>
<p class="lead">${prose(info.summary)}</p>
<p>${prose(info.description)}</p>
<p class="raw">OpenAPI 3.1, version ${info.version}, in one file: <a href="${raw.json}">JSON</a>, <a href="${raw.yaml}">YAML</a>.</p>
<h2 id="operations">Operations</h2>
${operations.map(
  (one) => html`<section class="operation" aria-labelledby="${one.id}">
<h3 id="${one.id}">${verb(one.method)} <code class="path">${breakable(one.path)}</code></h3>
<p class="summary">${prose(text(one.summary))}</p>
${described(one)}${parameters(one)}${body(one)}${answers(one)}
</section>`,
)}
<h2 id="answers">Shared answers</h2>
${Object.entries(document.components.responses ?? {}).map(
  ([name, one]) => html`<section class="answer" aria-labelledby="answer-${name}">
<h3 id="answer-${name}">${name}</h3>
${answerHtml(one)}
</section>`,
)}
${errors.length > 0 ? errorTable(errors) : undefined}
<h2 id="schemas">Schemas</h2>
${schemas.map(
  ([name, one]) => html`<section class="schema" aria-labelledby="schema-${name}">
<h3 id="schema-${name}"><code>${name}</code></h3>
${described(one)}${example(one)}${schema.members(one) ?? html`<p class="type">${schema.type(one)}</p>`}
</section>`,
)}
</main>
</div>`;
}

function operationsOf({ paths }: Bundle): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method,
      path,
      id: text(operation.operationId),
    })),
  );
}

function example({ examples }: JsonObject): HtmlValue {
  if (!Array.isArray(examples) || examples.length === 0) return undefined;
  return html`<details class="example-value"><summary>Example</summary><pre><code>${JSON.stringify(examples[0], undefined, 2)}</code></pre></details>`;
}

function errorTable(errors: readonly ErrorRow[]): Html {
  return html`<h2 id="errors">Errors</h2>
<p>Every error has one of these codes. One that is worth repeating has <code>retryable: true</code>.</p>
<div class="scroll" role="region" aria-label="Codes of errors" tabindex="0"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Retryable</th><th scope="col">Means</th></tr></thead>
<tbody>${errors.map(
    ({ code, status, retryable, message }) =>
      html`<tr><th scope="row"><code>${code}</code></th><td>${status}</td><td>${retryable ? "yes" : "no"}</td><td>${message}</td></tr>\n`,
  )}</tbody>
</table></div>`;
}

function verb(method: string): Html {
  return html`<span class="verb ${method}">${method.toUpperCase()}</span>`;
}

/** A path that may be broken at its slashes. */
function breakable(path: string): HtmlValue {
  return path.split(/(?=\/)/).map((part) => html`${part}<wbr>`);
}

function described({ description }: JsonObject): HtmlValue {
  return typeof description === "string" ? html`<p>${prose(description)}</p>` : undefined;
}

function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
