export const dialogTexts = {
  close: 'Close',
  cancel: 'Cancel',
} as const
