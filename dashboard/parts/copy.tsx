import { useEffect, useState } from 'react'
import { useWords, words } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { Spoken } from './spoken.tsx'
import { showToast } from './toasts.tsx'

const texts = words({
  es: {
    copy: 'Copiar',
    copied: 'Copiado',
    failed: 'El navegador no deja copiar. Selecciona el texto y cópialo.',
  },
  en: {
    copy: 'Copy',
    copied: 'Copied',
    failed: 'The browser does not allow copying. Select the text and copy it.',
  },
})
const copiedMs = 2_000

/** A button that copies a text: an icon beside the text, or a button with a label. */
export function CopyButton({
  text,
  label,
  form = 'icon',
}: {
  text: string
  /** Names what it copies; without it, “Copy”. */
  label?: string
  form?: 'icon' | 'button'
}) {
  const { copy: copyWord, copied, failed } = useWords(texts)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  async function copy(): Promise<void> {
    try {
      // pages over plain http have no clipboard
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      showToast({ kind: 'failed', text: failed })
    }
  }
  const name = label ?? copyWord
  return (
    <>
      {form === 'icon' ? (
        <IconButton
          icon={isCopied ? 'check' : 'copy'}
          label={isCopied ? copied : name}
          size="small"
          onPress={() => void copy()}
        />
      ) : (
        <Button icon={isCopied ? 'check' : 'copy'} size="small" onPress={() => void copy()}>
          {isCopied ? copied : name}
        </Button>
      )}
      <Spoken isLive>{isCopied && copied}</Spoken>
    </>
  )
}
