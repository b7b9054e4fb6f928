import { type OwnChannel, updateChannel } from '#contract/chat/channels.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Actions } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { settingsTexts } from './channels.words.ts'

/** The name and the description of a channel, and whether everybody may find it. */
export function ChannelForm({ channel }: { channel: OwnChannel }) {
  const text = useWords(settingsTexts)
  const update = useAction(updateChannel)
  const { id, type, name, description, isDiscoverable } = channel
  return (
    <ActionForm
      aria-label={text.about}
      onSubmit={async values => {
        await update.mutateAsync({
          params: { id },
          body: {
            name: values.name ?? '',
            description: values.description?.trim() || null,
            // only a channel can be discoverable (CHN-3)
            ...(type === 'CHANNEL' && { isDiscoverable: values.isDiscoverable !== undefined }),
          },
        })
        showToast({ text: text.saved })
      }}
    >
      {({ isBusy }) => (
        <>
          <TextField
            {...fieldOf(updateChannel, 'name')}
            label={text.name}
            defaultValue={name ?? ''}
            isRequired
          />
          <TextField
            {...fieldOf(updateChannel, 'description')}
            label={text.description}
            defaultValue={description ?? ''}
            rows={3}
          />
          {type === 'CHANNEL' && (
            <Checkbox
              name="isDiscoverable"
              value="true"
              defaultSelected={isDiscoverable}
              hint={text.discoverableHint}
            >
              {text.discoverable}
            </Checkbox>
          )}
          <Actions>
            <Button type="submit" isBusy={isBusy}>
              {text.save}
            </Button>
          </Actions>
        </>
      )}
    </ActionForm>
  )
}
