import { useSignal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { RefObject } from 'preact'
import type {
  PreviewReport,
  PreviewSettings,
} from '../../../../contract/dashboard/templates/template-preview.ts'
import { useApp } from '../../../app-context.ts'
import { templateTexts } from '../texts.ts'
import { openPreviewChannel } from './preview-channel.ts'
import type { PreviewChannel } from './preview-channel.ts'

/** What a preview shows. waiting: its document is loaded and has no form yet. */
export type PreviewState =
  | { kind: 'loading' | 'waiting' }
  | { kind: 'shown'; height: number }
  | { kind: 'failed'; words: string }

/** How long the document of a preview may take to say that it is there. */
const MAX_LOADING_MS = 15_000
/** How long a person does not type before the preview is updated. */
const PAUSE_MS = 150

/** Keeps the document in a frame in step with settings. */
export function usePreview(
  frame: RefObject<HTMLIFrameElement | null>,
  address: string,
  settings: PreviewSettings,
): ReadonlySignal<PreviewState> {
  const { browser } = useApp()
  const state = useSignal<PreviewState>({ kind: 'loading' })
  const channel = useRef<PreviewChannel | null>(null)
  const text = JSON.stringify(settings)
  useEffect(() => {
    if (frame.current === null) return
    const { origin } = new URL(address)
    const hear = (report: PreviewReport) => void (state.value = after(report))
    const opened = openPreviewChannel({ window: browser.window, frame: frame.current, origin, hear })
    channel.current = opened
    state.value = { kind: 'loading' }
    return opened.close
  }, [address])
  const isLoading = state.value.kind === 'loading'
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => {
      state.value = { kind: 'failed', words: templateTexts.preview.silent }
    }, MAX_LOADING_MS)
    return () => clearTimeout(timer)
  }, [isLoading])
  useEffect(() => {
    if (isLoading) return
    const timer = setTimeout(() => channel.current?.show(settings), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isLoading, text])
  return state
}

function after(report: PreviewReport): PreviewState {
  if (report.state === 'ready') return { kind: 'waiting' }
  if (report.state === 'shown') return { kind: 'shown', height: report.height }
  return { kind: 'failed', words: report.message }
}
