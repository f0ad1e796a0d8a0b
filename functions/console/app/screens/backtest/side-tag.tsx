/** Direction of a trade in words. */
export const SideTag = ({ side }: { readonly side: 'long' | 'short' }) => (
  <span>{side === 'long' ? '↑ Long' : '↓ Short'}</span>
);
