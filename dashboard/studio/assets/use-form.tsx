import { useDeferredValue, useState } from 'react'
import { ActionForm } from '../../data/action-form.tsx'
import { Button } from '../../parts/button.tsx'
import { Actions } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { MarkdownSource } from '../../parts/markdown-source.tsx'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { argumentsOf, filledBody } from './arguments.rules.ts'
import type { Asset } from './asset.ts'
import styles from './assets.module.css'
import { useTexts } from './use.words.ts'
import { hasCopied, useRecordedUse } from './use-asset-copy.ts'

/** Fills in the arguments of an asset, shows the text, copies it and counts the use. */
export function UseForm({ asset, onClose }: { asset: Asset; onClose?: () => void }) {
  const text = useWords(useTexts)
  const record = useRecordedUse()
  const known = argumentsOf(asset)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [isRefused, setRefused] = useState(false)
  // a field that nobody filled in is no value
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const filled = filledBody(asset.bodyMarkdown, known, given)
  // a long text must not hold up the typing of its arguments
  const shown = useDeferredValue(filled)

  async function copy(): Promise<void> {
    if (!(await hasCopied(filled))) return setRefused(true)
    record(asset.id)
    showToast({ text: text.copied(asset.name) })
    onClose?.()
  }
  return (
    <ActionForm onSubmit={copy}>
      {({ isBusy }) => (
        <div className={styles.stack}>
          <p>{known.length > 0 ? text.fillIn : text.noArguments}</p>
          {known.map(({ name, description, isRequired }) => (
            <TextField
              key={name}
              label={name === 'arguments' ? text.all : name}
              {...(description && { hint: description })}
              isRequired={isRequired}
              value={values[name] ?? ''}
              onChange={value => setValues(former => ({ ...former, [name]: value }))}
              autoComplete="off"
            />
          ))}
          {isRefused && <Notice kind="warn">{text.selectIt}</Notice>}
          <div className={styles.result}>
            <ScrollRegion label={text.result}>
              <MarkdownSource text={shown} />
            </ScrollRegion>
          </div>
          <Actions>
            {onClose && (
              <Button kind="quiet" onPress={onClose}>
                {text.close}
              </Button>
            )}
            <Button type="submit" kind="primary" icon="copy" shortcut="mod+enter" isBusy={isBusy}>
              {text.copy}
            </Button>
          </Actions>
        </div>
      )}
    </ActionForm>
  )
}
