/** What may stand in a trace: words and numbers of ours. Never a card, a token, a key, or a whole address. */
type Attributes = Readonly<Record<string, string | number>>

/** Work for a caller, or a call of somebody else's server. */
export type SpanKind = 'server' | 'client'

/** The headers of a request, of which `traceparent` and `tracestate` say where its caller's work stands in a trace. */
export type CallerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A piece of work that is under way. */
export interface Span {
  /** The headers by which another server goes on with the trace. */
  headers: () => Readonly<Record<string, string>>
  /** Does `work` as a part of this: what is begun in it belongs to it. */
  within: <Result>(work: () => Result) => Result
  add: (attributes: Attributes) => void
  end: (outcome?: { hasFailed: boolean }) => void
}

export interface Tracer {
  /** Begins a span: a part of the caller's work, of nothing when that is null, else of the work that it is begun in. */
  begin: (kind: SpanKind, name: string, caller?: CallerHeaders | null) => Span
}
