import type { TracingSettings } from '../../settings/tracing-settings.ts'
import type { Parts } from './start-tracing.ts'
import type { Tracer } from './tracer.ts'

/** What is traced, and its end. */
export interface Tracing {
  /** Null where nothing is traced. */
  tracer: Tracer | null
  stop: () => Promise<void>
}

/** Starts tracing where it is set, and only there loads the SDK: it would take time at each start. */
export async function openTracing(
  settings: TracingSettings | null,
  parts: Omit<Parts, 'settings'>,
): Promise<Tracing> {
  if (settings === null) return { tracer: null, stop: () => Promise.resolve() }
  const { startTracing } = await import('./start-tracing.ts')
  return startTracing({ settings, ...parts })
}
