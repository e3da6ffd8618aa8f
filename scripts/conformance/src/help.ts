export const HELP = `Checks over HTTP that agents, in any language, keep the agent contract.

  interlock-conformance --target URL=TASK [--target URL=TASK …] [options]

  --target URL=TASK       an agent's base URL and one of its task types; repeatable
                          (default: AGENT_CONTRACT_TARGETS=URL=TASK,URL=TASK)
  --inputs TASK=FILE      inputs for runs of a task: a JSON object; repeatable
  --timeout SECONDS       total time per target (30; also 1500ms, 2m)
  --wait SECONDS          how long the agents may take to be ready first (not at all; also 1500ms, 2m)
  --token TOKEN           bearer token for agents that verify who asks
                          (default: AGENT_CONTRACT_TOKEN, which other users of the machine cannot see)
  --rule ID               check only this rule; repeatable
  --baseline FILE         known failures, each with a reason (JSON or YAML); a stale entry fails
  --strict                a SHOULD counts like a MUST
  --json FILE             write a JSON report
  --junit FILE            write a JUnit report for CI servers
  --tap                   print TAP instead of the table
  --quiet                 print only rules that are not kept
  --list                  print the rules
  --help, --version

Exit status: 0 every MUST is kept, 1 a rule is broken, 2 invalid options, or a task that the agent does not have.
`;
