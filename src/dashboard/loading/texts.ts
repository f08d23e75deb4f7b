export const loadingTexts = {
  stale: 'What you see may be out of date.',
} as const
