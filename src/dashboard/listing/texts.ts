export const listingTexts = {
  notFound: {
    title: 'Nothing fits',
    words: 'Nothing fits this search and these filters. Take a filter away, or look for something else.',
    further: 'Nothing was found among the newest. Go to the next page to look further back.',
    clear: 'Clear filters',
  },
} as const
