import type { VNode } from 'preact'
import { feedbackTexts } from './texts.ts'
import './feedback.css'

interface SkeletonProps {
  /** How many grey lines. */
  lines?: number
}

/** Grey lines in the place of what is being loaded. */
export function Skeleton({ lines = 4 }: SkeletonProps): VNode {
  return (
    <div class="skeleton">
      <span class="unseen">{feedbackTexts.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="bone" />
      ))}
    </div>
  )
}
