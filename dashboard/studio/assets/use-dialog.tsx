import { Dialog } from '../../parts/dialog.tsx'
import { useWords } from '../../words/words.ts'
import type { Asset } from './asset.ts'
import { useTexts } from './use.words.ts'
import { UseForm } from './use-form.tsx'

/** Fills in the arguments of an asset before it is copied. */
export function UseDialog({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const text = useWords(useTexts)
  return (
    <Dialog title={text.title(asset.name)} isOpen onClose={onClose} size="wide">
      <UseForm asset={asset} onClose={onClose} />
    </Dialog>
  )
}
