import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Sampler } from '@opentelemetry/sdk-trace'
import { inTime } from '../in-time.ts'
import type { MonotonicClock, TimeOfDay } from '../clocks.ts'
import type { TracingSettings } from '../../settings/tracing-settings.ts'
import { createTracer } from './sdk-tracer.ts'
import { collectorExporter, logExporter } from './span-exporter.ts'
import type { Tracer } from './tracer.ts'

export interface Parts {
  settings: TracingSettings
  /** Of the service. */
  version: string
  log: Record<'info' | 'warn', (facts: object, words: string) => void>
  clock: MonotonicClock
  timeOfDay: TimeOfDay
}

/** Exporters end by times of their own. */
const LONGEST_MS = 2 ** 31 - 1
/** How long the end of the process waits for the last spans to be sent, in ms. */
const STOP_MS = 3000

/**
 * Traces of what this process does, by OpenTelemetry's SDK. This file and what it imports are loaded only where something is traced.
 * `stop` sends what is left, for three seconds at most.
 */
export function startTracing({ settings, version, log, clock, timeOfDay }: Parts): {
  tracer: Tracer
  stop: () => Promise<void>
} {
  const { collector, batches, resource } = settings
  const { everyMs, maxWaiting, maxAtOnce } = batches
  const onFault = (cause: string | number) => log.warn({ cause }, 'traces could not be sent')
  // At the end all that waits is sent at once, beside one export that is under way.
  const maxUnderWay = Math.ceil(maxWaiting / maxAtOnce) + 1
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.version': version, ...resource })),
    sampler: samplerOf(settings.sampler),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter:
          collector === null ? logExporter(log) : collectorExporter({ collector, maxUnderWay, onFault }),
        scheduledDelayMillis: everyMs,
        maxQueueSize: maxWaiting,
        maxExportBatchSize: maxAtOnce,
        exportTimeoutMillis: LONGEST_MS,
      }),
    ],
  })
  return {
    tracer: createTracer({ sdk: provider.getTracer('svc'), timeOfDay, clock }),
    stop: () => inTime(provider.shutdown(), STOP_MS, () => undefined).catch(() => undefined),
  }
}

/** The samplers of the standard; without a name one share holds for all traces, those of callers among them. */
function samplerOf({ name, share }: TracingSettings['sampler']): Sampler {
  const ofShare = new TraceIdRatioBasedSampler(share)
  switch (name) {
    case undefined:
      return new ParentBasedSampler({ root: ofShare, remoteParentSampled: ofShare })
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return ofShare
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: ofShare })
  }
}
