import { useState } from 'preact/hooks';
import { hub, ME } from '../../hub.ts';
import { navigate } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useOnce } from '../../ui/use-once.ts';

const ShareKeyForm = ({ onClose }: { readonly onClose: () => void }) => {
  const [key, setKey] = useState('');
  const once = useOnce();
  const action = useAction(async () => {
    const asked = { user_id: ME, strategy_key: key.trim() };
    const { strategy_id: id } = await once(asked, (options) => hub.copyStrategy(asked, options));
    onClose();
    navigate(`/strategies/${id}`);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <p>
        An author can give you the share key of a strategy that is in no list. You get a copy of your own.
      </p>
      <Field label="Share key" hint="It begins with s_.">
        <TextInput value={key} onValue={setKey} required autocomplete="off" spellcheck={false} />
      </Field>
      <Problem of={action.error} />
      <div class="actions dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button submit kind="primary" busy={action.isBusy}>
          Copy
        </Button>
      </div>
    </form>
  );
};

interface ShareKeyDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Dialog that copies a strategy by its share key. */
export const ShareKeyDialog = ({ open, onClose }: ShareKeyDialogProps) => (
  <Dialog title="Copy with a share key" open={open} onClose={onClose}>
    <ShareKeyForm onClose={onClose} />
  </Dialog>
);
