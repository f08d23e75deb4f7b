import { throwInPage } from './throw-in-page.ts'

/**
 * Whether the page's own work on a token is done, once all of it has ended: `work` is what its callbacks returned, promises or not.
 * It is not if one is rejected or resolves with `false`.
 */
export async function isDone(work: readonly unknown[]): Promise<boolean> {
  const ends = await Promise.allSettled(work)
  for (const end of ends) if (end.status === 'rejected') throwInPage(end.reason)
  return ends.every((end) => end.status === 'fulfilled' && end.value !== false)
}
