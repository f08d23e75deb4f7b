export const appTexts = {
  product: 'Dashboard',
  notFound: {
    title: 'There is no such page',
    reason: 'Nothing is at this address',
    words: 'It may be mistyped, or what was here has moved.',
    action: 'Go to the overview',
  },
  otherInView:
    'Another window has gone to another merchant or person, and this one has followed. What was not saved here was not done.',
  notLoaded: {
    title: 'This page could not be loaded',
    words: 'The connection failed, or a new version of the dashboard was installed. Reload to go on.',
    action: 'Reload',
  },
} as const
