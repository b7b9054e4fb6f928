import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { updateAsset } from '#contract/studio/assets.ts'
import { type Draft, useDraft } from '../../data/drafts.ts'
import type { Asset } from '../assets/asset.ts'
import { mergeTexts } from './merge.rules.ts'
import { wholeText } from './whole-text.rules.ts'

/** The edited content: the whole text with its front matter, and the description. */
export type Edited = { text: string; description: string }
/** The content that an edit began with, and its version. */
export type Base = Edited & { version: string; updatedAt: string }
/** A draft as the browser stores it. */
export type TextDraft = Edited & { changelog: string; base: Base }

export type EditedText = {
  base: Base
  edited: Edited
  changelog: string
  /** Counts the texts that came from outside the text editor, which then shows them. */
  revision: number
  isDirty: boolean
  /** The newer content of somebody else; undefined if the edit began with the newest. */
  theirs: Base | undefined
  setText: (text: string) => void
  /** Changes from outside the text editor. */
  replaceText: (text: string) => void
  setDescription: (description: string) => void
  setChangelog: (changelog: string) => void
  keepMine: () => void
  takeTheirs: () => void
  /** Returns the number of places that both changed. */
  mergeBoth: (names: { mine: string; theirs: string }) => number
  discard: () => void
  /** Shows a former state again, after `discard` or `takeTheirs`. */
  restore: (draft: TextDraft) => void
  current: () => TextDraft
  /** The server has stored the edit. */
  saved: (asset: Asset) => void
  draft: Draft<TextDraft>
}

export function baseOf(asset: Asset): Base {
  return {
    text: wholeText(asset),
    description: asset.description,
    version: asset.currentVersion.version,
    updatedAt: asset.updatedAt,
  }
}

const isSame = (one: Edited, other: Edited) =>
  one.text === other.text && one.description === other.description

/** The draft of the edit of an asset, which survives a reload and another tab. */
export const useTextDraft = (assetId: string) => useDraft<typeof updateAsset, TextDraft>(updateAsset, assetId)

/**
 * The edit of the text of an asset. An untouched text follows the changes of others; a touched one stays as it was typed
 * until the person has chosen. `flush` hands on what was typed a moment ago, which nothing may overwrite.
 */
export function useEditedText(
  asset: Asset,
  draft: Draft<TextDraft>,
  flush: RefObject<() => void>,
): EditedText {
  const [state, setState] = useState<TextDraft>(() => draft.values ?? startOf(baseOf(asset)))
  const [revision, setRevision] = useState(0)
  const latest = useRef(state)
  function set(next: TextDraft, { isFromOutside = true } = {}): void {
    latest.current = next
    setState(next)
    if (isFromOutside) setRevision(former => former + 1)
    if (isSame(next, next.base) && next.changelog === '') draft.clear()
    else draft.save(next)
  }
  const latestSet = useRef(set)
  latestSet.current = set
  const { base, changelog } = state
  // a long text takes time to put together
  const newest = useMemo(() => baseOf(asset), [asset])
  const isNewer = newest.updatedAt > base.updatedAt
  const isDirty = !isSame(state, base)
  const follows = isNewer && (!isDirty || hasSameText(newest, base))
  useEffect(() => {
    if (!follows) return
    flush.current()
    const { current } = latest
    const isTouched = !isSame(current, current.base)
    if (isTouched && !hasSameText(newest, current.base)) return
    latestSet.current(
      isTouched ? { ...current, base: newest } : { ...startOf(newest), changelog: current.changelog },
      { isFromOutside: !isTouched && current.text !== newest.text },
    )
  }, [follows, newest, flush])

  const change = (changed: Partial<TextDraft>, options?: { isFromOutside: boolean }) =>
    set({ ...latest.current, ...changed }, options)
  function current(): TextDraft {
    flush.current()
    return latest.current
  }
  return {
    base,
    edited: state,
    changelog,
    revision,
    isDirty,
    theirs: isNewer && !follows ? newest : undefined,
    setText: text => change({ text }, { isFromOutside: false }),
    replaceText: text => change({ text }),
    setDescription: description => change({ description }, { isFromOutside: false }),
    setChangelog: text => change({ changelog: text }, { isFromOutside: false }),
    keepMine: () => set({ ...current(), base: newest }, { isFromOutside: false }),
    takeTheirs: () => set({ ...startOf(newest), changelog: current().changelog }),
    mergeBoth: names => {
      const { text, description, base: former } = current()
      const merged = mergeTexts({ base: former.text, mine: text, theirs: newest.text }, names)
      const isMine = description !== former.description
      change({
        text: merged.text,
        description: isMine ? description : newest.description,
        base: newest,
      })
      return merged.clashes
    },
    discard: () => set(startOf(newest)),
    restore: former => set(former),
    current,
    saved: stored => {
      const next = baseOf(stored)
      const { text, description } = latest.current
      // what was typed while the request was under way is a new edit
      const isUnchanged = isSame(latest.current, state)
      set(isUnchanged ? startOf(next) : { text, description, changelog: '', base: next }, {
        isFromOutside: isUnchanged && text !== next.text,
      })
    },
    draft,
  }
}

/** A new name or other tags of the asset are no news for its text. */
const hasSameText = (one: Base, other: Base) => isSame(one, other) && one.version === other.version

function startOf(base: Base): TextDraft {
  return { text: base.text, description: base.description, changelog: '', base }
}
