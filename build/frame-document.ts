import type { Plugin } from 'vite'

/** Composes the frame's one self-contained document out of its script, style and prerendered markup. */
export function frameDocument(): Plugin {
  return { name: 'frame-document' }
}
