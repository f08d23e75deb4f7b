export const appTexts = {
  product: 'Dashboard',
  notFound: {
    title: 'There is no such page',
    words: 'The address may be mistyped, or the page has moved.',
    action: 'Go to the overview',
  },
  notLoaded: {
    title: 'This page could not be loaded',
    words: 'The connection failed, or a new version of the dashboard was installed meanwhile.',
    action: 'Reload',
  },
} as const
