import { useState } from 'react'
import type { Entry } from './entry.ts'

/**
 * The entries that were there when the person opened the log or changed its filters. Later ones wait until
 * the person asks for them, so that no row moves under the pointer (DSH-16).
 */
export function useNewEntries(
  entries: readonly Entry[],
  filters: string,
): { shown: readonly Entry[]; newCount: number; showNew: () => void } {
  const [seen, setSeen] = useState({ filters, upTo: 0 })
  const [newest] = entries
  const isSeen = seen.filters === filters && entries.some(({ seq }) => seq <= seen.upTo)
  if (newest && !isSeen) setSeen({ filters, upTo: newest.seq })
  const shown = isSeen ? entries.filter(({ seq }) => seq <= seen.upTo) : entries
  return {
    shown,
    newCount: entries.length - shown.length,
    showNew: () => newest && setSeen({ filters, upTo: newest.seq }),
  }
}
