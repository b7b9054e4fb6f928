import { useState } from 'react'
import { updateAsset } from '#contract/studio/assets.ts'
import { fieldOf } from '../../data/action-form.tsx'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { TextField } from '../../parts/field.tsx'
import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import type { AssetType } from '../assets/asset.ts'
import styles from './editor.module.css'
import { editorTexts } from './editor.words.ts'
import { fieldsOf, withField } from './front-matter.rules.ts'
import { partsOf, withFrontMatter } from './whole-text.rules.ts'

/** The fields that tools read, offered where they are missing. */
const usualFields: Readonly<Record<AssetType, readonly string[]>> = {
  PROMPT: ['argument-hint', 'arguments', 'model'],
  SKILL: ['license', 'compatibility', 'allowed-tools'],
  AGENT: ['tools', 'model'],
  COMMAND: ['argument-hint', 'arguments', 'allowed-tools', 'model'],
  PLUGIN: ['license', 'homepage', 'repository'],
}

/** The description and the fields of the front matter as a form. It changes the lines of its fields in the same text. */
export function FrontMatterForm({
  type,
  text: whole,
  description,
  onText,
  onDescription,
}: {
  type: AssetType
  text: string
  description: string
  onText: (text: string) => void
  onDescription: (description: string) => void
}) {
  const text = useWords(editorTexts)
  const parts = partsOf(whole)
  const yaml = parts?.frontmatterText ?? ''
  const fields = fieldsOf(yaml)
  const known = new Set(fields.map(({ key }) => key))
  const change = (key: string, value: string) => onText(withFrontMatter(whole, withField(yaml, key, value)))
  return (
    <div className={styles.fields}>
      <TextField
        {...fieldOf(updateAsset, 'description')}
        label={text.description}
        hint={text.descriptionHint}
        rows={3}
        value={description}
        onChange={onDescription}
      />
      <p className={styles.quiet}>{text.formAbout}</p>
      {!parts && <Notice kind="danger">{text.unclosed}</Notice>}
      {fields.map(({ key, value, source }) =>
        value === undefined ? (
          <div key={key} className={styles.complex}>
            <span className={styles.fieldName}>{key}</span>
            <Code text={source} label={key} isWrapped />
            <span className={styles.quiet}>{text.complexField}</span>
          </div>
        ) : (
          <TextField
            key={key}
            label={key}
            value={value}
            onChange={typed => change(key, typed)}
            autoComplete="off"
          />
        ),
      )}
      {parts &&
        usualFields[type]
          .filter(key => !known.has(key))
          .map(key => (
            <TextField
              key={key}
              label={key}
              value=""
              onChange={typed => change(key, typed)}
              autoComplete="off"
            />
          ))}
      {parts && <NewField isTaken={key => known.has(key)} onAdd={key => change(key, '-')} />}
    </div>
  )
}

function NewField({ isTaken, onAdd }: { isTaken: (key: string) => boolean; onAdd: (key: string) => void }) {
  const text = useWords(editorTexts)
  const [key, setKey] = useState('')
  const [isWrong, setWrong] = useState(false)
  function add(): void {
    const name = key.trim()
    const isUsable = /^[A-Za-z_][\w.-]*$/.test(name) && !isTaken(name)
    setWrong(!isUsable)
    if (!isUsable) return
    onAdd(name)
    setKey('')
  }
  return (
    <div className={styles.newField}>
      <TextField
        label={text.fieldName}
        value={key}
        onChange={setKey}
        {...(isWrong && { hint: text.badFieldName })}
        autoComplete="off"
        spellCheck="false"
      />
      <Button icon="plus" onPress={add}>
        {text.addField}
      </Button>
    </div>
  )
}
