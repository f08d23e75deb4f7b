export const loadingTexts = {
  stale: 'What you see may be out of date.',
  undone: 'Taken back.',
  otherInView: 'Not taken back: that was for another merchant than the one in view.',
  changedSince: 'This was changed once more since then, so it was left as it is.',
} as const
