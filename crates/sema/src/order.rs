//! The order in which things that depend on each other are checked, and the cycles among them.
//!
//! *In:* for each thing the things it needs. *Out:* all things, each behind what it needs; where that is impossible, the
//! cycle. *Cost:* linear, without recursion: chains of 100,000 constants are no problem.
//! *Source:* depth-first search with explicit stack (Tarjan 1972, section 2).

/// Calls `visit` for each of `0..count` after all that it needs. A thing that needs itself, in one or more steps, is given
/// to `cycle` with the things on the way (in order, itself first), once for each edge that closes a cycle.
pub(crate) fn dependency_order(
    count: usize,
    needs: impl Fn(usize) -> Vec<usize>,
    mut visit: impl FnMut(usize),
    mut cycle: impl FnMut(&[usize]),
) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open(usize),
        Done,
    }
    let mut marks = vec![Mark::New; count];
    let mut path: Vec<(usize, Vec<usize>, usize)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for start in 0..count {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open(0);
        open.push(start);
        path.push((start, needs(start), 0));
        while let Some((node, children, next)) = path.last_mut() {
            let Some(&child) = children.get(*next) else {
                marks[*node] = Mark::Done;
                visit(*node);
                path.pop();
                open.pop();
                continue;
            };
            *next += 1;
            match marks[child] {
                Mark::Done => {}
                Mark::Open(depth) => cycle(&open[depth..]),
                Mark::New => {
                    marks[child] = Mark::Open(open.len());
                    open.push(child);
                    path.push((child, needs(child), 0));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_comes_first_and_cycles_are_told() {
        let needs = [vec![2], vec![0, 2], vec![], vec![4], vec![3], vec![5]];
        let (mut order, mut cycles) = (Vec::new(), Vec::new());
        dependency_order(6, |i| needs[i].clone(), |i| order.push(i), |c| cycles.push(c.to_vec()));
        assert_eq!(order, [2, 0, 1, 4, 3, 5]);
        assert_eq!(cycles, [vec![3, 4], vec![5]]);
    }
}
