import recorded from './recorded-answers.json' with { type: 'json' }

/** What the running service has answered to the example of an operation; ids, times and secrets are replaced. */
export interface Recorded {
  status: number
  body: unknown
}

/** By the operation's id. `npm run docs:examples` records them again. */
export const RECORDED: Readonly<Record<string, Recorded>> = recorded
