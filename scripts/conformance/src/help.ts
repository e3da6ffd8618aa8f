export const HELP = `Proves that agents keep the agent contract, over HTTP, in whatever language they are written.

  interlock-conformance --target URL=TASK [--target URL=TASK …] [options]

  --target URL=TASK       an agent's base URL and a task type of it; repeatable
                          (AGENT_CONTRACT_TARGETS=URL=TASK,URL=TASK stands in for it)
  --inputs TASK=FILE      inputs for the runs of a task: a JSON object; repeatable
  --timeout SECONDS       for one target, all told (30; also 1500ms, 2m)
  --rule ID               only this rule; repeatable
  --baseline FILE         known failures, each with a reason (JSON or YAML); a stale entry fails
  --strict                a SHOULD counts like a MUST
  --json FILE             write the report for programs
  --junit FILE            write the report for CI servers
  --tap                   print TAP in place of the table
  --quiet                 print only what is not kept
  --list                  print the rules
  --help, --version

Exit status: 0 every MUST is kept, 1 not so, 2 the options are not right.
`;
