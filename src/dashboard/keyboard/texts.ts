export const shortcutTexts = {
  title: 'Keyboard shortcuts',
  show: 'Show the keyboard shortcuts',
  open: 'Open the row',
  close: 'Close a dialog or menu',
  isOn: 'Use single-key shortcuts',
  isOnHint: 'Turn them off if you write by speech, until the page is loaded again.',
} as const
