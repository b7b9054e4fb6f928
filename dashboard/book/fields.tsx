import { useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '../parts/button.tsx'
import { Code, Json } from '../parts/code.tsx'
import { Combo, PersonPicker } from '../parts/combo.tsx'
import { DropArea } from '../parts/drop-area.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { DateField, MoneyField, NumberField } from '../parts/number-fields.tsx'
import { RadioGroup } from '../parts/radio-group.tsx'
import { Reason } from '../parts/reason.tsx'
import { Switch } from '../parts/switch.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './book.module.css'
import { type Chapter, State } from './chapter.tsx'

const texts = words({
  es: {
    save: 'Guardar',
    score: 'Puntuación',
    value: 'Valor',
    due: 'Vence',
    reason: 'Motivo',
    source: 'Origen',
    owner: 'Responsable',
    notify: 'Avisar por correo',
    hint: 'A quien lleva el lead',
    visibility: 'Visibilidad',
    everyone: 'Todo el equipo',
    onlyMe: 'Solo yo',
    form: 'Formulario',
    fair: 'Feria',
    files: 'Archivos',
    limit: 'Hasta 10 MB cada uno',
    large: 'Pesa más de 10 MB',
    retry: 'Intentar otra vez',
    dropHint: 'Suelta para adjuntar',
    command: 'Orden',
    answer: 'Respuesta',
    people: 'Personas',
  },
  en: {
    save: 'Save',
    score: 'Score',
    value: 'Value',
    due: 'Due',
    reason: 'Reason',
    source: 'Source',
    owner: 'Owner',
    notify: 'Send a mail',
    hint: 'To the owner of the lead',
    visibility: 'Visibility',
    everyone: 'The whole team',
    onlyMe: 'Only me',
    form: 'Form',
    fair: 'Fair',
    files: 'Files',
    limit: 'Up to 10 MB each',
    large: 'It is larger than 10 MB',
    retry: 'Try again',
    dropHint: 'Drop to attach',
    command: 'Command',
    answer: 'Answer',
    people: 'People',
  },
})

function MoreFields() {
  const text = useWords(texts)
  const [score, setScore] = useState<number | null>(82)
  const [cents, setCents] = useState<number | null>(153_670)
  const [isOn, setOn] = useState(true)
  const [owner, setOwner] = useState<string | null>('mei')
  return (
    <>
      <State title="NumberField, MoneyField, DateField, Reason">
        <div className={styles.column}>
          <NumberField label={text.score} value={score} onChange={setScore} minimum={0} maximum={100} />
          <MoneyField label={text.value} cents={cents} currency="EUR" onChange={setCents} />
          <DateField label={text.due} value="2026-12-03" onChange={() => {}} />
          <Reason label={text.reason} maxLength={200} defaultValue="–" />
        </div>
      </State>
      <State title="Combo, PersonPicker">
        <div className={styles.column}>
          <Form onSubmit={event => event.preventDefault()}>
            <Combo
              label={text.source}
              isRequired
              items={[
                { id: 'form', label: text.form },
                { id: 'fair', label: text.fair },
              ]}
            />
            <Button type="submit">{text.save}</Button>
          </Form>
          <PersonPicker
            label={text.owner}
            value={owner}
            onChange={setOwner}
            people={[
              { id: 'mei', name: 'Mei Lin', email: 'mei@acme.example' },
              { id: 'miren', name: 'Miren Aguirre', email: 'miren@acme.example' },
            ]}
          />
        </div>
      </State>
      <State title="Switch, RadioGroup">
        <div className={styles.column}>
          <Switch isSelected={isOn} onChange={setOn} hint={text.hint}>
            {text.notify}
          </Switch>
          <Switch isSelected={false} onChange={() => {}}>
            {text.notify}
          </Switch>
          <RadioGroup
            label={text.visibility}
            defaultValue="all"
            options={[
              { value: 'all', label: text.everyone, hint: text.hint },
              { value: 'me', label: text.onlyMe },
            ]}
          />
        </div>
      </State>
    </>
  )
}

function Files() {
  const text = useWords(texts)
  return (
    <State title="FileDrop, DropArea">
      <div className={styles.column}>
        <DropArea hint={text.dropHint} onFiles={() => {}}>
          <FileDrop
            label={text.files}
            hint={text.limit}
            onFiles={() => {}}
            onRemove={() => {}}
            files={[
              { id: '1', name: 'plan-de-la-semana.md', bytes: 12_400 },
              { id: '2', name: 'fotos.zip', bytes: 8_400_000, progress: 0.6 },
              {
                id: '3',
                name: 'video.mov',
                bytes: 84_000_000,
                error: text.large,
                action: { label: text.retry, onPress: () => {} },
              },
            ]}
          />
        </DropArea>
      </div>
    </State>
  )
}

function Sources() {
  const text = useWords(texts)
  return (
    <State title="Code, Json">
      <div className={styles.column}>
        <Code
          label={text.command}
          text={'curl https://patio.example/api/external/v1/leads \\\n  -H "X-Api-Key: …"'}
        />
        <Json
          label={text.answer}
          value={{ error: 'maintenance', until: '2026-11-22T13:00:00Z', attempts: [1, 2] }}
        />
      </div>
    </State>
  )
}

export const fieldChapters: readonly Chapter[] = [
  { id: 'more-fields', title: 'Number, Money, Date, Combo, Switch', Content: MoreFields },
  { id: 'files', title: 'FileDrop', Content: Files },
  { id: 'code', title: 'Code, Json', Content: Sources },
]
