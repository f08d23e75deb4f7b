import * as v from 'valibot'
import type { AnySchema, Change } from '../api/api.ts'
import { useApp } from '../app-context.ts'
import { loadingTexts } from './texts.ts'
import { inViewIn } from '../session/session.ts'

/** How an act is undone: by another change, as long as nobody has changed the same thing since. */
interface Undo<Seen extends AnySchema> {
  /** Where what was changed is read. */
  path: string
  schema: Seen
  /** Whether the current state is still the one that the act has produced. */
  isStill: (now: v.InferOutput<Seen>) => boolean
  /** The change that takes it back. */
  back: Pick<Change<AnySchema>, 'method' | 'path' | 'body'>
  /** Called when it was taken back. */
  undone: () => unknown
}

/** Says that something was done, with a button that undoes it. */
export function useUndo(): <Seen extends AnySchema>(done: string, undo: Undo<Seen>) => void {
  const { api, session, toasts } = useApp()
  return (done, { path, schema, isStill, back, undone }) => {
    const shown = inViewIn(session.state.peek())
    const takeBack = async () => {
      const now = await api.read(path, schema)
      // Asked last: another merchant may come into view while this one is read.
      if (inViewIn(session.state.peek()) !== shown) return loadingTexts.otherInView
      if (now.kind === 'failed') return now.failure.words
      if (!isStill(now.data)) return loadingTexts.changedSince
      const outcome = await api.change({ ...back, answer: v.unknown() })
      if (outcome.kind === 'failed') return outcome.failure.words
      await undone()
      return null
    }
    const undo = async () => {
      const fault = await takeBack()
      toasts.show(fault ?? loadingTexts.undone, { tone: fault === null ? 'good' : 'bad' })
    }
    toasts.show(done, { undo: () => void undo() })
  }
}
