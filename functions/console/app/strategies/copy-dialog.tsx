import { keptValues } from '../kept.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { useKept } from '../ui/use-kept.ts';
import { useResource } from '../ui/use-resource.ts';
import type { CopyFormProps } from './copy-form.tsx';

/** Strategy to copy. */
export interface CopySource {
  readonly strategy_key: string;
  readonly strategy_name: string;
  readonly symbols: readonly string[];
}

const SOURCES = keptValues<CopySource | undefined>();

/** Holds the strategy that the dialog copies. */
export const useCopySource = () => useKept(SOURCES, 'copy', () => undefined);

/** Loads the form when the dialog opens: it has the search for instruments. */
const loadForm = async () => (await import('./copy-form.tsx')).CopyForm;

const Form = (props: CopyFormProps) => (
  <Loaded of={useResource(loadForm, [])}>{(CopyForm) => <CopyForm {...props} />}</Loaded>
);

interface CopyDialogProps {
  /** Closed without one. */
  readonly source: CopySource | undefined;
  readonly onClose: () => void;
}

/** Dialog that copies a strategy under a name and for instruments of the user's choice. */
export const CopyDialog = ({ source, onClose }: CopyDialogProps) => (
  <Dialog
    title={source ? `Copy ${source.strategy_name}` : 'Copy'}
    open={source !== undefined}
    onClose={onClose}
  >
    {source && <Form key={source.strategy_key} source={source} onClose={onClose} />}
  </Dialog>
);
