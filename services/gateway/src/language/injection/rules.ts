import { canMatch, needsOf, signsOf } from "./needs.ts";

/** What a refusal is logged as. */
export type Detector =
  | "direct_override"
  | "new_regime"
  | "exfiltration"
  | "role_play"
  | "approval_bypass"
  | "guard_bypass"
  | "authority_claim"
  | "tool_abuse"
  | "embedded_instructions"
  | "forced_output"
  | "follow_encoded"
  | "fake_markup"
  | "scorer"
  | "split_turns"
  | "split_text"
  | "homoglyph"
  | "hidden_characters"
  | "hidden_tags"
  | "bidi"
  | "leetspeak"
  | "spaced_letters"
  | "reversed"
  | "rot13"
  | "encoded_base64"
  | "encoded_base32"
  | "encoded_hex"
  | "encoded_binary"
  | "encoded_decimal"
  | "encoded_morse"
  | "encoded_percent"
  | "encoded_escapes";

/**
 * A rule over the concepts of a sentence (see lexicon.ts), in any language of the lexicon. Verb and object come in both orders. Each
 * repetition is over one class and bounded, so a rule takes linear time.
 */
export type Rule = { id: string; detector: Detector; pattern: RegExp; sign: 1 | -1 };

const rule = (id: string, detector: Detector, pattern: RegExp): Rule => ({ id, detector, pattern, sign: 1 });
/** Speaks for a harmless message. */
const excuse = (id: string, pattern: RegExp): Rule => ({ id, detector: "scorer", pattern, sign: -1 });

export const CONCEPT_RULES: readonly Rule[] = [
  excuse(
    "never_without",
    /n[^|]{0,6}[UA][^|]{0,6}n[^|]{0,3}V|V[^|]{0,2}n[^|]{0,4}[UA][^|]{0,2}n|n.?Vn.?[UA]|n[^|]{0,3}[KO][^|]{0,5}[VL]/,
  ),
  excuse("asks_about", /^[^|"]{0,2}[wQ](?![^|]{0,4}[ZY])[^"]{0,40}$/),
  excuse("quoted_case", /[QJ][^"]{0,24}["][^"]{0,8}[OSKR][^"]{0,10}["](?!.?[|:]?.{0,4}[F])/),
  excuse("named_as_case", /[QJ][^|]{0,5}[JVG]|J[^|]{0,5}Q|[Q][^|]{0,6}["][^"]{0,6}[YDJ]/),
  excuse("own_words", /O[^|]{0,3}m[^|]{0,4}[PIcL]|O[^|Z]{0,3}c/),
  rule("override_prior", "direct_override", /O[^|]{0,5}P[^|]{0,3}[ILGY]/),
  rule("override_own", "direct_override", /O[^|]{0,3}Z[^|]{0,2}[ILGYP]|O[^|]{0,3}Y/),
  rule("override_later_named", "direct_override", /O[^|]{0,3}[ILG][^|]{0,4}[PZ]/),
  rule("override_all", "direct_override", /O.?a.?.?[ILGY]|Oa?.?[IG]/),
  rule("override_everything", "direct_override", /O.?a[^|c]{0,2}P|OP[^c|]{0,3}$/),
  rule(
    "override_after",
    "direct_override",
    /[PZHY][^|]{0,3}[ILGY][^|]{0,3}[OK]|[PY][^|]{0,3}[OK]|a.?[ILGY].{0,2}[OK]/,
  ),
  rule("skip_own_rules", "guard_bypass", /K[^|]{0,3}Z[^|]{0,3}[LGI]|[KO][^|]{0,3}a?[^|c]{0,1}G|G[^|]{0,3}K/),
  rule("unfollowed", "direct_override", /n[^|]{0,2}F[^|]{0,4}[ILGY]|[ILGY][^|]{0,3}n[^|]{0,2}F/),
  rule("now_you", "new_regime", /N[^|]{0,3}Z[^|]{0,4}[FRDsMn]|Z[^|]{0,3}N[^|]{0,3}[RDM]/),
  rule(
    "new_orders",
    "new_regime",
    /N[^|]{0,1}I.?:|N[^|]{0,2}[IY][^|]{0,2}[:|]|Z[^|]{0,1}N[^|]{0,1}[IL]|Z[^|]{0,3}N[^|]{0,2}[tI]/,
  ),
  rule("role", "role_play", /R[^|]{0,6}[DM]|Z[^|]{0,4}D|R[^|]{0,8}n[^|]{0,4}[LGI]|D[^|]{0,5}[RM]/),
  rule("mode", "role_play", /[KNXR][^|]{0,3}D|D[^|]{0,2}[KNX]|Z[^|]{0,4}n[^|]{0,3}[LG]/),
  rule("reveal_prompt", "exfiltration", /S[^|]{0,6}Y|Y[^|]{0,4}S|Y[^|]{0,3}[ow]/),
  rule(
    "reveal_own",
    "exfiltration",
    /S[^|]{0,4}Z[^|]{0,3}[IL]|Z[^|]{0,3}I[^|]{0,4}S|S[^|]{0,4}[IL][^|]{0,3}[PZ]/,
  ),
  rule(
    "reveal_hidden",
    "exfiltration",
    /S[^|]{0,4}H[^|]{0,3}[IL]|H[^|]{0,2}I[^|]{0,4}S|[SE][^|]{0,6}C|C[^|]{0,4}[SE]/,
  ),
  rule(
    "ask_prompt",
    "exfiltration",
    /w[^|]{0,3}Y|w[^|]{0,3}Z[^|]{0,3}[I]|w[^|]{0,4}I[^|]{0,4}[PZ]|Y[^|]{0,3}w/,
  ),
  rule("reveal_above", "exfiltration", /S[^|]{0,3}a?[^c|]{0,2}P[^c|]{0,2}(?:$|[|ot:"Z])/),
  rule("others_data", "exfiltration", /[SEwX][^|]{0,7}T|T[^|]{0,6}[SE]/),
  rule(
    "without_approval",
    "approval_bypass",
    /[UAX][^|]{0,7}n[^|]{0,3}V|n[^|]{0,3}V[^|]{0,5}[UA]|V[^|]{0,2}n[^|]{0,4}U/,
  ),
  rule(
    "publish_at_once",
    "approval_bypass",
    /^[.N]?U[^|nQw]{0,6}n[^|]{0,2}V[^|]{0,3}[|]?$|^Vn[^|n]{0,3}U[^|nwQ.]{0,2}[|]?$/,
  ),
  rule("skip_approval_at_once", "approval_bypass", /^[.N]?[KO][^|wQ]{0,3}V/),
  rule("skip_approval", "approval_bypass", /[KO][^|]{0,5}V|V[^|]{0,4}[KO]/),
  rule(
    "pretend_approved",
    "approval_bypass",
    /R[^|]{0,7}[AV]|[st][^|]{0,3}A[^|]{0,5}V|V[^|]{0,3}A[^|]{0,4}[RU]/,
  ),
  rule("claim", "authority_claim", /i[^|]{0,3}W.{0,14}[SKOUCTYZID]|W[^|]{0,3}i|W[^|]{0,3}[DXO]/),
  rule(
    "to_the_machine",
    "embedded_instructions",
    /t[^|]{0,2}M.?[:"|]|M[^|]{0,2}:|M[^|]{0,5}t[^|]{0,3}:|n?[^|]{0,1}[tM][^|]{0,3}M[^|]{0,5}[OFASKUE]/,
  ),
  rule(
    "obey_text",
    "embedded_instructions",
    /F[^|]{0,5}I[^|]{0,5}t|t[^|]{0,5}I[^|]{0,4}F|F[^|]{0,5}t[^|]{0,4}s/,
  ),
  rule("obey_decoded", "follow_encoded", /B[^|]{0,9}[|]?[^|]{0,3}[FX]|[FX][^|]{0,6}B/),
  rule(
    "own_lapsed",
    "direct_override",
    /Z[^|]{0,2}[ILGY][^|]{0,4}n|[ILYG][^|]{0,3}n[^|]{0,4}Z|n[^|]{0,2}[ILGYD][^|]{0,4}Z|Y[^|]{0,4}n|Z[^|]{0,4}n[^|]{0,3}[ILGD]/,
  ),
  rule("lift_all", "guard_bypass", /Ka[LIG]|K[^|c]{0,2}[LG][^|]{0,3}Z|ZG/),
  rule(
    "only_me",
    "new_regime",
    /N[^|]{0,3}[ZF][^|]{0,3}o[^|]{0,3}m|[NZ][^|]{0,3}[FO][^|]{0,3}m|N[^|]{0,2}o[^|]{0,3}m|NF?Zo?m/,
  ),
  rule(
    "approve_itself",
    "approval_bypass",
    /A[^|]{0,2}Z|[stUX][^|]{0,6}A[^|c]{0,3}$|R[^|]{0,6}U|V[^|]{0,4}A[^|]{0,4}U|[SRZ]m?[^|]{0,2}V/,
  ),
  rule("forge_approval", "approval_bypass", /^[^|wQ]{0,2}V[^|]{0,8}[nUX]|X[^|]{0,8}V|n[^|]{0,6}U[^|]{0,3}n/),
  rule(
    "own_words_quoted",
    "exfiltration",
    /[sS][^|]{0,3}Y|[SsQ].?Z[^|]{0,2}[IY]|w[^|]{0,8}(?:Z|W)[^|]{0,3}(?:P|YZ|t[NP])|[YI][^|]{0,4}o|Q[^|]?Y[^|]{0,3}s|w[^|]{0,3}[ILC][^|]{0,2}Z/,
  ),
  rule(
    "text_before",
    "exfiltration",
    /[Sw][^|]{0,3}a?t[^|]{0,4}P|S.?aP|S.?a?P[^c|]{0,4}[|"]?[oB]|aP[^|]{0,4}o/,
  ),
  rule("run_it", "tool_abuse", /^[^|wQ]{0,1}X[^|]{0,3}[XCaE"]|^[^|wQ]{0,1}[KOX][^|]{0,2}ac|S.?.?X[^c|]{0,3}/),
  rule("forced", "forced_output", /s[^|]{0,3}o|o[^|]{0,3}s|[sS][^|]{0,3}"[^|"]{1,8}"/),
];

/** A rule over the folded text itself. */
export const TEXT_RULES: readonly Rule[] = [
  rule(
    "chat_markup",
    "fake_markup",
    /<\|?\/?(?:im_start|im_end|system|assistant|endoftext|endofprompt|start_header|eot_id|instructions?|admin|developer|sys|override|begin_of_text)\b|\[\/?(?:inst|sys|system|admin|assistant|developer|override)\b|<<\/?sys/,
  ),
  rule(
    "headline_markup",
    "fake_markup",
    /#{2,6} ?(?:system|instructions?|new |assistant|admin|override|end of|developer|response)|(?<![-=*~])[-=*~]{3,} ?(?:end|begin|start|system|new|admin|override)\b[^\n]{0,40}(?:prompt|input|instruction|message|user|system|context|document|data|override|query)/,
  ),
  rule(
    "role_field",
    "fake_markup",
    /["']role["'] ?: ?["'](?:system|assistant|developer|tool)|["'](?:tool_calls?|function_call|tool_use|tool_result)["'] ?:/,
  ),
  rule(
    "role_line",
    "fake_markup",
    /(?:^|\n|[.!?"'] )(?:system|assistant|developer|admin|sysadmin|system message|system update|system override|ai) ?(?:\]|\))?:/,
  ),
  rule(
    "forged_field",
    "approval_bypass",
    /\b(?:approved|approval|is_admin|isadmin|admin|role|bypass\w*|override\w*|safety|guards?|skip_approval|skip_\w+|policy_check|require_approval|requires_approval|approval_required|validate|sudo) ?(?:=|:|" ?:) ?["']?(?:true|1\b|yes|off|false|disabled|none|admin|root|skip|bypass)/,
  ),
  rule("comment", "embedded_instructions", /<!--|\/\*|display: ?none|color: ?white|font-size: ?0/),
  rule("picture", "exfiltration", /!\[[^\]]{0,80}\]\(https?:|<img [^>]{0,80}src/),
  rule("address", "exfiltration", /https?:\/\/|[a-z0-9]@[a-z0-9-]{1,40}\.|webhook/),
  rule(
    "template",
    "tool_abuse",
    /\{\{[^}]{0,60}\}\}|\$\{[^}]{0,60}\}|\bdrop table\b|' or '?1'? ?=|; ?--|\brm -rf\b|\bos\.system\b|__import__|\beval\(|\bexec\(|;\s?(?:cat|curl|wget|env)\b|\$\(/,
  ),
];

/** Any of what the rules over text look for: most messages have none. */
const TEXT_RULE_SIGNS = /[<[#{=!@/;$*]|--|:/;

export const RULES: readonly Rule[] = [...CONCEPT_RULES, ...TEXT_RULES];

const NEEDS = CONCEPT_RULES.map(({ pattern }) => needsOf(pattern));

/** Which rules over concepts a text or a part of it meets: places in RULES. */
export function metConceptRules(concepts: string): number[] {
  const met: number[] = [];
  const signs = signsOf(concepts);
  for (let place = 0; place < CONCEPT_RULES.length; place += 1) {
    const needs = NEEDS[place];
    if (needs && canMatch(needs, signs) && CONCEPT_RULES[place]?.pattern.test(concepts)) met.push(place);
  }
  return met;
}

/** Which rules over the text itself it meets: places in RULES. */
export function metTextRules(text: string): number[] {
  if (!TEXT_RULE_SIGNS.test(text)) return [];
  return TEXT_RULES.flatMap(({ pattern }, place) =>
    pattern.test(text) ? [CONCEPT_RULES.length + place] : [],
  );
}
