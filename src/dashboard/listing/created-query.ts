import { startOfDay } from '../formats/day-start.ts'
import { dataTexts } from '../components/data/texts.ts'
import type { Filter } from '../components/data/filters-bar.tsx'

/** Filters by the day on which something was made. Both days are included; they are days of the person's zone. */
export const CREATED_FILTERS: readonly Filter[] = [
  { kind: 'day', name: 'from', label: dataTexts.from },
  { kind: 'day', name: 'to', label: dataTexts.to },
]

/** These filters of an address as the service's lists take them. An invalid day is left out. */
export function createdQuery(query: URLSearchParams, timeZone: string): Record<string, string | null> {
  const [from, to] = [query.get('from'), query.get('to')]
  return {
    'created_at.from': startOfDay(from ?? '', timeZone),
    'created_at.to': startOfDay(to ?? '', timeZone, 1),
  }
}
