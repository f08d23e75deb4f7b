/** What each status of a refusal says, in few words. */
export const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Key missing, wrong or expired',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not possible here',
  409: 'At work just now',
  412: 'Changed meanwhile',
  413: 'Too large',
  415: 'Not JSON',
  422: 'Declined or not possible now',
  429: 'Too many requests',
  500: 'A fault on our side',
  503: 'Unavailable, or the outcome is not known yet',
}
