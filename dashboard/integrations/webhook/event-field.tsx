import { useState } from 'react'
import type { ApplicationEventName } from '#contract/integrations/event-examples.ts'
import { applicationEvents, catalogueEvents } from '#contract/integrations/event-list.ts'
import type { Scope } from '#contract/permissions.ts'
import { Button } from '../../parts/button.tsx'
import { Json } from '../../parts/code.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { eventTexts } from './event.words.ts'
import styles from './event-field.module.css'
import { eventGroupsOf } from './webhook.rules.ts'
import { webhookFormTexts } from './webhook-form.words.ts'

type EventFieldProps = {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  /** The scopes of the application: an event that needs another one cannot be chosen (WHK-2). */
  scopes: readonly Scope[]
  /** False for people who may only remove events; `stored` are those that they may put back. */
  mayAdd: boolean
  stored: readonly string[]
}

/** Checkboxes for the events of a webhook by area, each with an example of what is sent. */
export function EventField({ chosen, onChange, scopes, mayAdd, stored }: EventFieldProps) {
  const text = useWords(webhookFormTexts)
  const reasonOf = ({ event, scope }: (typeof applicationEvents)[number]) => {
    if (scope !== null && !scopes.includes(scope)) return text.needs(scope)
    return mayAdd || stored.includes(event) ? undefined : text.cannotAdd
  }
  const set = (names: readonly string[], isOn: boolean) => {
    const next = new Set(chosen)
    for (const name of names) {
      if (isOn) next.add(name)
      else next.delete(name)
    }
    onChange(next)
  }
  return eventGroupsOf(applicationEvents).map(({ id, events }) => {
    const possible = events.filter(event => reasonOf(event) === undefined).map(({ event }) => event)
    const count = possible.filter(name => chosen.has(name)).length
    return (
      <fieldset key={id} className={styles.group}>
        <legend className={styles.legend}>
          <Checkbox
            isSelected={count > 0 && count === possible.length}
            isIndeterminate={count > 0 && count < possible.length}
            isDisabled={possible.length === 0}
            onChange={isOn => set(possible, isOn)}
          >
            <span className={styles.groupName}>{text[id]}</span>
          </Checkbox>
        </legend>
        {events.map(listed => (
          <EventCheckbox
            key={listed.event}
            event={listed.event}
            reason={reasonOf(listed)}
            isChosen={chosen.has(listed.event)}
            onChange={isOn => set([listed.event], isOn)}
          />
        ))}
      </fieldset>
    )
  })
}

function EventCheckbox({
  event,
  reason,
  isChosen,
  onChange,
}: {
  event: ApplicationEventName
  /** Why it cannot be chosen. */
  reason: string | undefined
  isChosen: boolean
  onChange: (isOn: boolean) => void
}) {
  const text = useWords(webhookFormTexts)
  const language = useLanguage()
  const [isShown, setShown] = useState(false)
  const example = catalogueEvents.find(listed => listed.event === event)?.example
  return (
    <div>
      <div className={styles.event}>
        <Checkbox
          isSelected={isChosen}
          // an event that is stored can be removed even if its scope was lost
          isDisabled={reason !== undefined && !isChosen}
          onChange={onChange}
          hint={
            <>
              {eventTexts[language][event]}
              {reason && `. ${reason}`}
            </>
          }
        >
          <code className={styles.name}>{event}</code>
        </Checkbox>
        <Button
          kind="quiet"
          size="small"
          aria-label={text.exampleOf(event)}
          onPress={() => setShown(!isShown)}
        >
          {text.example}
        </Button>
      </div>
      {isShown && <Json value={example} label={text.exampleOf(event)} />}
    </div>
  )
}
