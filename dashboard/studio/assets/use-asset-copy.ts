import { listAssets, readAsset } from '#contract/studio/assets.ts'
import { useAsset } from '#contract/studio/uses.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { usePatch } from '../../data/use-patch.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { argumentsOf } from './arguments.rules.ts'
import type { AnyAsset, Asset } from './asset.ts'
import { assetActionTexts } from './asset-action.words.ts'

/** Counts a use of an asset. */
export function useRecordedUse(): (id: string) => void {
  const use = useAction(useAsset, { refreshes: [] })
  const patch = usePatch(listAssets, readAsset)
  return id =>
    use.mutate({ params: { id }, body: {} }, { onSuccess: ({ usageCount }) => patch(id, { usageCount }) })
}

/**
 * Copies the text of an asset and counts a use. A text with arguments, and a browser that does not allow copying, open
 * the dialog that fills it in.
 */
export function useAssetCopy(openUse: (asset: Asset) => void): (asset: AnyAsset) => Promise<void> {
  const text = useWords(assetActionTexts)
  const language = useLanguage()
  const read = useAction(readAsset, { refreshes: [] })
  const record = useRecordedUse()
  return async asset => {
    try {
      const whole = 'bodyMarkdown' in asset ? asset : await read.mutateAsync({ params: { id: asset.id } })
      const isCopied = argumentsOf(whole).length === 0 && (await hasCopied(whole.bodyMarkdown))
      if (!isCopied) return openUse(whole)
      record(whole.id)
      showToast({ text: text.copied(whole.name) })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }
}

/** Whether the browser copied the text; pages over plain http have no clipboard. */
export async function hasCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
