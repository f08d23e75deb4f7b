export const loadingTexts = {
  stale: 'What you see may be out of date.',
  undone: 'Taken back.',
  changedSince: 'This was changed once more since then, so it was left as it is.',
} as const
