import type { BrowserFacts } from '../../contract/api/charges/authentication.ts'

/** What a phone says of itself. */
export const FACTS: BrowserFacts = {
  language: 'en-AU',
  time_zone_offset: -660,
  screen_width: 390,
  screen_height: 844,
  color_depth: 24,
}
