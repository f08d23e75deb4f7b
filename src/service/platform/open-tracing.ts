import type { Tracer, TracingParts, TracingSettings } from './tracing.ts'

/** What is traced, and its end. */
export interface Tracing {
  /** Null if nothing is traced. */
  tracer: Tracer | null
  stop: () => Promise<void>
}

/** Starts tracing if it is set. Only then is the SDK loaded, as that takes time. */
export async function openTracing(
  settings: TracingSettings | null,
  parts: Omit<TracingParts, 'settings'>,
): Promise<Tracing> {
  if (settings === null) return { tracer: null, stop: () => Promise.resolve() }
  const { startTracing } = await import('./tracing-sdk.ts')
  return startTracing({ settings, ...parts })
}
