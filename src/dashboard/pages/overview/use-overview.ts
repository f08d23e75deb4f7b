import { Overview } from '../../../contract/dashboard/overview.ts'
import { useApp } from '../../app-context.ts'
import { useLiveReload } from '../../live/use-live.ts'
import type { Resource } from '../../loading/resource.ts'
import { useResource } from '../../loading/use-resource.ts'
import { pathWith } from '../../router/query.ts'
import { useView } from '../../session/use-view.ts'
import { dayOf, daysIn } from './overview-days.ts'
import type { Days } from './overview-days.ts'

/** The overview of the days in the address; it is read again when something has happened. */
export function useOverview(): { days: Days; overview: Resource<Overview> } {
  const { router, browser } = useApp()
  const { time_zone } = useView()
  const days = daysIn(router.place.value.query, () => dayOf(browser.now(), time_zone))
  // Unasked, they are on their way already where this is the first page of a visit.
  const query = days.chosen === null ? {} : { ...days.chosen, time_zone }
  const overview = useResource(pathWith('/api/overview', query), Overview)
  useLiveReload(
    () => true,
    () => void overview.reload(),
  )
  return { days, overview }
}
