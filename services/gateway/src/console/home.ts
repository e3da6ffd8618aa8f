import { type Html, html } from "./html.ts";
import { PLACES, rawOf } from "./layout.ts";

/**
 * The start page. It is the same for everybody; its script reads the mesh's state from the API with the visitor's rights.
 */
export function homeHtml(): Html {
  return html`<main id="main" class="home">
<h1>A mesh of agents behind one gateway</h1>
<p class="lead">A message comes in; the gateway finds out what it asks for, plans the steps, has agents perform them, streams what happens,
and stops where a person has to decide.</p>
<p id="state" class="state" role="status"><span class="dot"></span> Looking …</p>
<noscript><p class="note">This page needs JavaScript to ask for the state of the mesh. Programs get the same from <a href="/api/v1">the API</a>.</p></noscript>

<form id="token-form" class="panel" hidden aria-labelledby="token-title">
<h2 id="token-title">A token is needed</h2>
<p id="token-why">The gateway tells of the mesh, and answers, to callers whom it knows. A token of an issuer that the manifest names is kept in
this page alone, until you close it. Of the development issuer: <code>npm run -s token -- --user ann</code>.</p>
<label for="token">Bearer token</label>
<div class="row"><input id="token" type="password" autocomplete="off" spellcheck="false" required aria-describedby="token-why">
<button type="submit" class="primary">Use it</button></div>
</form>

<div class="columns">
<div class="doing">
<section class="panel ask" aria-labelledby="ask-title">
<h2 id="ask-title">Ask</h2>
<p class="hint" id="ask-hint">Click a message to send it, or write your own. Enter sends; Shift and Enter begins a new line.</p>
<div id="starts" class="buttons starts" role="group" aria-label="Begin with one of these"></div>
<div id="turns" class="turns" role="log" aria-label="Conversation"></div>
<form id="ask-form">
<label for="message">Message</label>
<textarea id="message" rows="2" maxlength="4000" required aria-describedby="ask-hint"></textarea>
<div class="row"><button type="submit" class="primary" id="send">Ask</button>
<button type="button" id="stop" hidden>Stop</button>
<button type="button" id="fresh" hidden>New conversation</button></div>
</form>
</section>

<section aria-labelledby="services-title">
<h2 id="services-title">Services</h2>
<ul id="services" class="services" aria-labelledby="services-title"></ul>
</section>
</div>

<section class="panel" aria-labelledby="health-title">
<h2 id="health-title">Health</h2>
<dl id="health" class="health"></dl>
<h3 id="agents-title">Agents</h3>
<ul id="agents" class="agents" aria-labelledby="agents-title"></ul>
</section>
</div>

<section aria-labelledby="terminal-title">
<h2 id="terminal-title">From a terminal</h2>
<div id="commands" class="commands"></div>
</section>

<section aria-labelledby="more-title">
<h2 id="more-title">Read on</h2>
<ul class="more">
<li><a href="${PLACES.api}">The API of the gateway</a>: operations, schemas, errors.</li>
<li><a href="${PLACES.agents}">The contract of agents</a>: what an agent serves, in any language.</li>
<li>OpenAPI, for programs: ${raw(PLACES.api, "the gateway")}; ${raw(PLACES.agents, "agents")}.</li>
<li>In the repository: <code>README.md</code>, <code>docs/writing-an-agent.md</code>, <code>docs/operations.md</code>, <code>docs/architecture.md</code>.</li>
</ul>
</section>
</main>`;
}

function raw(place: string, of: string): Html {
  const { json, yaml } = rawOf(place);
  return html`${of} as <a href="${json}" aria-label="OpenAPI of ${of}, JSON">JSON</a> or <a href="${yaml}"
aria-label="OpenAPI of ${of}, YAML">YAML</a>`;
}
